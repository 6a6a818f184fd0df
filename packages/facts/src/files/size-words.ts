const units = ['bytes', 'KiB', 'MiB', 'GiB'] as const

/** A size as people read it. */
export function sizeWords(bytes: number): string {
  const power = bytes < 1024 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10))
  return `${Number((bytes / 1024 ** power).toFixed(1))} ${units[power]}`
}
