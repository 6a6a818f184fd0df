const shown = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })

/** An instant in the reader's time zone, with the exact one on hover; a dash for none. */
export function Moment({ at }: { readonly at: string | null }) {
  if (at === null) return <>–</>
  return (
    <time dateTime={at} title={at}>
      {shown.format(new Date(at))}
    </time>
  )
}
