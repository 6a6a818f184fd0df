/** The reason in words for which an address cannot be listened on, with the setting to change; null for another error. */
export function listenFault(
  error: unknown,
  { host, port, setting }: { readonly host: string; readonly port: number; readonly setting: string },
): string | null {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE')
    return `Port ${port} on ${host} is taken. Stop what uses it, this platform itself perhaps, or choose another: ${setting}=${port + 100}`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `SVC_HOST: this machine has no address ${host}`
  if (code === 'EACCES')
    return `Port ${port} needs more rights than this user has; choose one above 1023 with ${setting}`
  return null
}
