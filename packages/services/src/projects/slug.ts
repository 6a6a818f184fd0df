/** A URL-safe name; the first free one of `slug`, `slug-2`, `slug-3`, … */
export function freeSlug(name: string, taken: readonly string[]): string {
  const slug = slugOf(name)
  if (!taken.includes(slug)) return slug
  let number = 2
  while (taken.includes(`${slug}-${number}`)) number += 1
  return `${slug}-${number}`
}

export function slugOf(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 80)
  return plain === '' ? 'project' : plain
}
