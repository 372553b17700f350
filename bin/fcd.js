#!/usr/bin/env node
// The command. All of it is in src/cli; `npm run build` compiles it to dist/cli.
import { runProcess } from '../dist/cli/main.js';

process.exitCode = await runProcess(process.argv.slice(2));
