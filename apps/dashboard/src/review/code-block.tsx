import { visibleText } from '@svc/facts'
import { Copy } from '../parts/copy.tsx'
import { classOf, useHighlight } from './highlight.ts'
import { languageOf } from './language.ts'

/** Code with its colours, as soon as they are there, and a button that copies it. */
export function CodeBlock({ text, language }: { readonly text: string; readonly language: string }) {
  const shown = visibleText(text)
  const lines = useHighlight(shown, languageOf(language))
  return (
    <div className="group/code relative">
      <pre
        className="block"
        tabIndex={0}
        role="group"
        aria-label={language === '' ? 'Code' : `Code, ${language}`}
      >
        <code>
          {lines.length === 0
            ? shown
            : lines.map((line, index) => (
                <span key={index}>
                  {line.map(([part, kind], at) => (
                    <span key={at} className={classOf(kind)}>
                      {part}
                    </span>
                  ))}
                  {'\n'}
                </span>
              ))}
        </code>
      </pre>
      <div className="absolute top-1 right-1 opacity-0 group-hover/code:opacity-100 focus-within:opacity-100">
        <Copy text={text} />
      </div>
    </div>
  )
}
