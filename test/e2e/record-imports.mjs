// Preloaded with --import: writes the URL of every module that the program loads to the file named by RECORD_IMPORTS.
import { appendFileSync } from 'node:fs';
import Module, { register } from 'node:module';
import { pathToFileURL } from 'node:url';

const file = process.env.RECORD_IMPORTS;
register('./record-hooks.mjs', import.meta.url, { data: { file } });

// Modules that are required do not pass the hooks.
const load = Module._load;
Module._load = function (request, parent, isMain) {
  const path = Module._resolveFilename(request, parent, isMain);
  appendFileSync(file, `${path.startsWith('/') ? pathToFileURL(path).href : path}\n`);
  return load.call(this, request, parent, isMain);
};
