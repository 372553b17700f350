// Preloaded with --import: writes the URL of every module that the program loads to the file named by RECORD_IMPORTS.
import { register } from 'node:module';

register('./record-hooks.mjs', import.meta.url, { data: { file: process.env.RECORD_IMPORTS } });
