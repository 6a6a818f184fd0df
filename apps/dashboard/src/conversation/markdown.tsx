import { lazy, Suspense } from 'react'

const Rendered = lazy(async () => ({ default: (await import('./rendered-markdown.tsx')).RenderedMarkdown }))

interface Props {
  readonly text: string
  /** More of it comes. */
  readonly streaming?: boolean
}

/** Text that a person or an agent wrote as Markdown; the words themselves until its reader has arrived. */
export function Markdown({ text, streaming = false }: Props) {
  return (
    <div className="prose" dir="auto">
      <Suspense fallback={<p className="whitespace-pre-wrap">{text}</p>}>
        <Rendered text={text} streaming={streaming} />
      </Suspense>
    </div>
  )
}
