/** The address itself where it leads to the web or to mail; else nothing. */
export function safeUrl(url: string): string {
  if (!URL.canParse(url)) return ''
  return ['http:', 'https:', 'mailto:'].includes(new URL(url).protocol) ? url : ''
}
