import type { FileContent } from '@svc/sdk'
import { Copy } from '../../parts/copy.tsx'
import { NumberedCode } from '../../review/numbered-code.tsx'
import { languageOf } from '../../review/language.ts'

interface Props {
  readonly path: string
  readonly file: FileContent
}

/** A file as text, with the numbers of its lines. */
export function FileText({ path, file }: Props) {
  if (file.encoding === 'base64') return <p className="hint">A binary file; it is whole in a clone.</p>
  return (
    <div className="grid gap-2">
      <p>
        <Copy text={file.content} />
      </p>
      <NumberedCode label={path} text={file.content} language={languageOf(path)} notes={[]} chosen={null} />
    </div>
  )
}
