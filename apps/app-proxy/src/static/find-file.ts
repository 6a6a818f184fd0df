/** The file that answers a path, or the path that it has; `missing` is a release without a 404.html. */
export type Found =
  | { readonly kind: 'file'; readonly path: string; readonly status: 200 | 404 }
  | { readonly kind: 'redirect'; readonly to: string }
  | { readonly kind: 'missing' }

interface Paths {
  has(path: string): boolean
}

/** The file of a release for the target of a request: as it is called, with `.html`, or the index of a folder. */
export function findFile(paths: Paths, target: string, spa: boolean): Found {
  const mark = target.indexOf('?')
  const [path, query] = mark < 0 ? [target, ''] : [target.slice(0, mark), target.slice(mark)]
  const name = nameOf(path)
  if (name === null) return notFound(paths)
  const file = [name, ...(name === '' || name.endsWith('/') ? [`${name}index.html`] : [`${name}.html`])]
  const there = file.find((candidate) => candidate !== '' && paths.has(candidate))
  if (there !== undefined) return { kind: 'file', path: there, status: 200 }
  if (name !== '' && !name.endsWith('/') && paths.has(`${name}/index.html`))
    return { kind: 'redirect', to: `${path}/${query}` }
  const last = name.slice(name.lastIndexOf('/') + 1)
  if (spa && !last.includes('.') && paths.has('index.html'))
    return { kind: 'file', path: 'index.html', status: 200 }
  return notFound(paths)
}

/** A path as releases write it; null for one that is no text. */
function nameOf(path: string): string | null {
  try {
    return decodeURIComponent(path.replace(/^\//, ''))
  } catch {
    return null
  }
}

function notFound(paths: Paths): Found {
  return paths.has('404.html') ? { kind: 'file', path: '404.html', status: 404 } : { kind: 'missing' }
}
