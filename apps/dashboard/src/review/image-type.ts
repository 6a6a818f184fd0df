/** An SVG is a program as well, but not within an `img`, where no script of it runs. */
const types: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  ico: 'image/x-icon',
  svg: 'image/svg+xml',
}

export function imageType(path: string): string | null {
  return types[path.slice(path.lastIndexOf('.') + 1).toLowerCase()] ?? null
}
