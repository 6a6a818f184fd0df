/** True for a name that a bundler made from the bytes of the file: `app-3f9a1c2e.js`, `index.B2xq81Za.css`. */
export function looksHashed(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const [, hash = ''] = /[.-]([A-Za-z0-9_-]{8,})\.[A-Za-z0-9]+(?:\.map)?$/.exec(name) ?? []
  return hash
    .split('-')
    .concat(hash)
    .some((part) => part.length >= 8 && /[0-9]/.test(part) && /[A-Za-z]/.test(part))
}
