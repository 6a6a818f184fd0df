import { pageUrl, type Settings } from '@svc/context'

export { connectUrl } from '@svc/services'

type Urls = Pick<Settings, 'api_url'>

export const approvalUrl = (
  settings: Urls,
  { project_id, call_id }: { project_id: string; call_id: string },
): string => pageUrl(settings, `/projects/${project_id}/approvals/${call_id}`)
