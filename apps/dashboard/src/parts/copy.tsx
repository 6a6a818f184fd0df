import { Check, Copy as CopyIcon } from 'lucide-react'
import { useState } from 'react'

const shownMs = 2_000

/** Puts a text on the clipboard, and says so. */
export function Copy({ text, label = 'Copy' }: { readonly text: string; readonly label?: string }) {
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    // Without TLS a browser of another computer has no clipboard for a page; the text can be selected there.
    await navigator.clipboard?.writeText(text)
    setCopied(true)
    setTimeout(() => setCopied(false), shownMs)
  }
  return (
    <button type="button" className="button small" onClick={() => void copy()}>
      {copied ? <Check aria-hidden /> : <CopyIcon aria-hidden />}
      <span aria-live="polite">{copied ? 'Copied' : label}</span>
    </button>
  )
}
