import type { Settings } from '@svc/context'

export { connectUrl } from '@svc/services'

type Urls = Pick<Settings, 'api_url'>

/** Pages of the dashboard, as people open them. */
const page = ({ api_url }: Urls, path: string): string => new URL(`/dashboard${path}`, api_url).href

export const approvalUrl = (
  settings: Urls,
  { project_id, call_id }: { project_id: string; call_id: string },
): string => page(settings, `/projects/${project_id}/approvals/${call_id}`)
