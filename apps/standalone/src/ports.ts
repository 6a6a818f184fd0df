import { once } from 'node:events'
import { createServer } from 'node:net'
import { listenFault } from '@svc/boot'
import { StartError } from './start-error.ts'

/** Refuses early when the port is taken, before anything is started that would have to be stopped again. */
export async function requireFreePort(host: string, port: number, variable: string): Promise<void> {
  const probe = createServer()
  try {
    probe.listen(port, host)
    await once(probe, 'listening')
  } catch (error) {
    throw new StartError(
      listenFault(error, { host, port, setting: variable }) ??
        `${variable}: ${host}:${port} cannot be listened on (${String(Object(error).code)})`,
    )
  } finally {
    probe.close()
  }
}
