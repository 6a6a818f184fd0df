import type { Handlers } from '../src/index.ts'

export const idle = {
  'manifest.edit': async () => undefined,
  'repository.maintain': async () => undefined,
  'checks.run': async () => undefined,
}

export const log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
}
export const unexpected = (error: Error) => {
  throw error
}
export const patient = { timeout: 40_000, interval: 20 }

/** A promise with its handle, to hold a handler at a point. */
export function gate() {
  let open = () => undefined as void
  const opened = new Promise<void>((resolve) => (open = resolve))
  return { open: () => open(), opened }
}

/** Handlers that all do the same. */
export function sessionHandlers(handle: Handlers<'session'>['sandbox.stop']): Handlers<'session'> {
  return {
    'sandbox.provision': handle,
    'sandbox.stop': handle,
    'sandbox.destroy': handle,
    'sandbox.hibernate': async () => undefined,
    'sandbox.evict': async () => undefined,
    'sandbox.release': async () => undefined,
    'sandbox.secrets': async () => undefined,
    'templates.build': async () => undefined,
    'harness.install': async () => undefined,
    'checks.run': async () => undefined,
    'sandbox.check': handle,
    'prompts.deliver': handle,
  }
}
