import type { Workload } from '../provider.ts'

type Environment = Readonly<Record<string, string>>

/** The variables that say what a sandbox reaches of the platform. A program is no client of it: it reaches nothing. */
export function reachedBy(
  { workload, environment }: { readonly workload: Workload; readonly environment: Environment },
  api_url: string,
): Environment {
  return workload === 'program' ? {} : { SVC_API_URL: api_url, ...environment }
}
