/** Keeps a value as the newest of at most `max`. */
export function rememberIn<V>(map: Map<string, V>, key: string, value: V, max: number): void {
  map.delete(key)
  map.set(key, value)
  if (map.size <= max) return
  for (const oldest of map.keys()) {
    map.delete(oldest)
    return
  }
}
