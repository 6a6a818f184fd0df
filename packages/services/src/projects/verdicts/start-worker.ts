import { Worker } from 'node:worker_threads'

/** Beside this file: the source here, one more entry of a bundle there. */
const file = new URL(import.meta.url.replace(/[^/]*(\.[a-z]+)$/, 'manifest-worker$1'))
const options = {
  // It judges text and needs nothing of the process.
  env: {},
  execArgv: [],
  resourceLimits: { maxOldGenerationSizeMb: 256 },
}

/** Node does not run TypeScript by itself: where nothing is bundled, the loader of development comes first. */
const loading = `import('tsx/esm/api').then(({ register }) => (register(), import(${JSON.stringify(file.href)})))`

export function startWorker(): Worker {
  return file.pathname.endsWith('.ts')
    ? new Worker(loading, { ...options, eval: true })
    : new Worker(file, options)
}
