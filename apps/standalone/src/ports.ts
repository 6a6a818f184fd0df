import { once } from 'node:events'
import { createServer } from 'node:net'
import { StartError } from './start-error.ts'

/** Refuses early when the port is taken, before anything is started that would have to be stopped again. */
export async function requireFreePort(host: string, port: number, variable: string): Promise<void> {
  const probe = createServer()
  try {
    probe.listen(port, host)
    await once(probe, 'listening')
  } catch (error) {
    throw new StartError(reason(error, host, port, variable))
  } finally {
    probe.close()
  }
}

function reason(error: unknown, host: string, port: number, variable: string): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE')
    return `Port ${port} on ${host} is taken. Stop what uses it, this platform itself perhaps, or choose another: ${variable}=${port + 100}`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `SVC_HOST: this machine has no address ${host}`
  if (code === 'EACCES')
    return `Port ${port} needs more rights than this user has; choose one above 1023 with ${variable}`
  return `${variable}: ${host}:${port} cannot be listened on (${String(code)})`
}
