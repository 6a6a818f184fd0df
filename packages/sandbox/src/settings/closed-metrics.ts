import type { SandboxProvider } from '../provider.ts'
import { sharesLoopback } from '../providers/process/describe-host.ts'

/** Metrics tell of every account. Where sandboxes reach their port a token has to close them: the problem, or null. */
export function openMetricsProblem(
  provider: Pick<SandboxProvider, 'describe'>,
  token: string | undefined,
): string | null {
  if (token !== undefined || !sharesLoopback(provider)) return null
  const { name } = provider.describe()
  return `SVC_METRICS_TOKEN: is needed with the provider ${name}, whose sandboxes reach the ports of this machine; give it to every service here`
}
