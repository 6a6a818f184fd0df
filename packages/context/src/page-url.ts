import type { Settings } from './context.ts'

/** The address of a page of the dashboard, as people open it. */
export const pageUrl = ({ api_url }: Pick<Settings, 'api_url'>, path: string): string =>
  new URL(`/dashboard${path}`, api_url).href
