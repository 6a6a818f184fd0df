import { listenFault, type Logger } from '@svc/boot'

/** Says why a service did not start: in words where a setting of its own names a port that it cannot listen on. */
export const failedStart = (log: Pick<Logger, 'fatal'>, env: object) => (error: unknown) => {
  const { syscall, port, address } = Object(error)
  const [setting] =
    Object.entries(env).find(([name, value]) => name.endsWith('_PORT') && value === port) ?? []
  const fault =
    setting === undefined || syscall !== 'listen'
      ? null
      : listenFault(error, { host: address, port, setting })
  if (fault === null) log.fatal({ err: error }, 'The start failed')
  else log.fatal(fault)
}
