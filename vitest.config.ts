// One vitest project for each kind of test; `npx vitest run --project unit` runs one.
import { defineConfig } from 'vitest/config';

const SECOND_MS = 1000;

export default defineConfig({
  test: {
    // Two cores; the compiler's own caches are per worker.
    maxWorkers: 2,
    projects: [
      { extends: true, test: { name: 'unit', include: ['test/unit/**/*.test.ts'], testTimeout: 20 * SECOND_MS } },
      { extends: true, test: { name: 'property', include: ['test/property/**/*.test.ts'], testTimeout: 120 * SECOND_MS } },
      { extends: true, test: { name: 'conformance', include: ['test/conformance/**/*.test.ts'], testTimeout: 120 * SECOND_MS } },
      { extends: true, test: { name: 'corpus', include: ['test/corpus/**/*.test.ts'], testTimeout: 300 * SECOND_MS } },
      // Reaches the package registries through the machine's own pip and npm settings.
      { extends: true, test: { name: 'network', include: ['test/network/**/*.test.ts'], testTimeout: 180 * SECOND_MS } },
      // Runs the built command.
      { extends: true, test: { name: 'e2e', include: ['test/e2e/**/*.test.ts'], testTimeout: 180 * SECOND_MS } },
    ],
  },
});
