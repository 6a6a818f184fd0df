/** A value outside of React: `listen` is what `useSyncExternalStore` takes, `notify` says that the value changed. */
export function createListeners() {
  const listeners = new Set<() => void>()
  return {
    listen(this: void, listener: () => void): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    notify(this: void): void {
      for (const listener of listeners) listener()
    },
  }
}
