import type { Settings } from '@svc/context'

/** The address of a page of the dashboard. */
export const pageUrl = ({ api_url }: Pick<Settings, 'api_url'>, path: string): string =>
  new URL(`/dashboard${path}`, api_url).href
