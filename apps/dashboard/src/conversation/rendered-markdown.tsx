import { memo } from 'react'
import ReactMarkdown, { type Components } from 'react-markdown'
import remarkGfm from 'remark-gfm'
import { CodeBlock } from '../review/code-block.tsx'
import { closeMarkdown } from './close-markdown.ts'
import { safeUrl } from './safe-url.ts'

const components: Components = {
  a: ({ href, children }) =>
    href === undefined || href === '' ? (
      <>{children}</>
    ) : (
      <a href={href} rel="noopener noreferrer" target="_blank">
        {children}
      </a>
    ),
  // The policy of the page loads no image of another origin, and an address that is asked for tells its reader.
  img: ({ src, alt }) => {
    const words = alt === undefined || alt === '' ? 'image' : alt
    if (typeof src !== 'string' || src === '') return <>{words}</>
    return (
      <a href={src} rel="noopener noreferrer" target="_blank">
        {words}
      </a>
    )
  },
  pre: ({ children }) => <>{children}</>,
  code: ({ className, children }) => {
    const text = typeof children === 'string' ? children : ''
    const language = /language-([\w+-]+)/.exec(className ?? '')?.[1]
    if (language === undefined && !text.includes('\n')) return <code>{children}</code>
    return <CodeBlock text={text.replace(/\n$/, '')} language={language ?? ''} />
  },
  table: ({ children }) => (
    <div className="overflow-x-auto" role="group" aria-label="Table" tabIndex={0}>
      <table>{children}</table>
    </div>
  ),
  // The page has its own headings; those of a text stand below them.
  h1: ({ children }) => <p className="prose-head">{children}</p>,
  h2: ({ children }) => <p className="prose-head">{children}</p>,
  h3: ({ children }) => <p className="prose-head">{children}</p>,
  h4: ({ children }) => <p className="prose-head">{children}</p>,
  h5: ({ children }) => <p className="prose-head">{children}</p>,
  h6: ({ children }) => <p className="prose-head">{children}</p>,
  input: ({ checked }) => <span>{checked === true ? '☑ ' : '☐ '}</span>,
}

const plugins = [remarkGfm]

/** Markdown without any HTML of its own, and with links to the web and to mail alone. */
export const RenderedMarkdown = memo(function RenderedMarkdown(props: {
  readonly text: string
  readonly streaming: boolean
}) {
  const text = props.streaming ? closeMarkdown(props.text) : props.text
  return (
    <ReactMarkdown remarkPlugins={plugins} components={components} urlTransform={safeUrl}>
      {text}
    </ReactMarkdown>
  )
})
