/** An id, short enough for a table; the whole of it on hover. */
export function Id({ of }: { readonly of: string | null }) {
  if (of === null) return <>–</>
  return (
    <code className="text-12" title={of}>
      {of.slice(0, 8)}
    </code>
  )
}
