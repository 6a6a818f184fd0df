export type ProviderLog = (
  level: 'info' | 'warn',
  message: string,
  details?: Readonly<Record<string, unknown>>,
) => void
