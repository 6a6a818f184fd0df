import { SettingsError } from '@svc/boot'
import type { SandboxProvider } from '@svc/sandbox'
import { sharesLoopback } from '@svc/sandbox/providers'

/** Metrics tell of every account. If sandboxes reach the port of the metrics, a token has to close them. */
export function requireClosedMetrics(
  provider: Pick<SandboxProvider, 'describe'>,
  token: string | undefined,
): void {
  if (token !== undefined || !sharesLoopback(provider)) return
  const { name } = provider.describe()
  throw new SettingsError([
    `SVC_METRICS_TOKEN: is needed with the provider ${name}, whose sandboxes reach the ports of this machine; give it to every service here`,
  ])
}
