import { createLifecycle, createLogger } from '../src/index.ts'

/** A small deployable: says when it is up, and ends as its argument tells. */
const log = createLogger({ name: 'runner' })
const lifecycle = createLifecycle(log)
await lifecycle.run(async () => {
  const timer = setInterval(() => undefined, 60_000)
  lifecycle.defer('timer', () => clearInterval(timer))
  log.info('up')
})
if (process.argv[2] === 'reject') void Promise.reject(new Error('nobody looked'))
