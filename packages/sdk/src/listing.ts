/** One page of a list. */
export interface Page<T> {
  readonly items: readonly T[]
  /** Give it as `cursor` to read on; null on the last page. */
  readonly next_cursor: string | null
}

/**
 * A list that is read as far as it is used: `await` it for the first page, or `for await` it for every item of every page.
 * Nothing is sent before that; each use starts over.
 */
export interface Listing<T> extends PromiseLike<Page<T>>, AsyncIterable<T> {
  /** Page by page, for callers that show progress or keep the cursor. */
  pages(): AsyncIterable<Page<T>>
}

export function listing<T>(
  fetchPage: (cursor: string | undefined) => Promise<Page<T>>,
  first?: string,
): Listing<T> {
  async function* pages(): AsyncGenerator<Page<T>, void, undefined> {
    let cursor = first
    for (;;) {
      const page = await fetchPage(cursor)
      yield page
      if (page.next_cursor === null || page.next_cursor === cursor) return
      cursor = page.next_cursor
    }
  }
  return {
    pages,
    then: (onFulfilled, onRejected) => fetchPage(first).then(onFulfilled, onRejected),
    async *[Symbol.asyncIterator]() {
      for await (const page of pages()) yield* page.items
    },
  }
}
