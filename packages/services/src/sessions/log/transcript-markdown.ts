import { containedMarkdown, withoutControls } from './contained-markdown.ts'
import type { TranscriptMessage, TranscriptTool } from './transcript.ts'

const outputChars = 4_000

/** A conversation as people read it. */
export function transcriptMarkdown(title: string, messages: readonly TranscriptMessage[]): string {
  return [`# ${oneLine(title)}`, ...messages.map(messageText)].join('\n\n') + '\n'
}

function messageText({ role, at, text, tools, error }: TranscriptMessage): string {
  const parts = [
    `## ${role === 'user' ? 'Prompt' : 'Agent'} · ${at}`,
    ...(text.trim() === '' ? [] : [containedMarkdown(text.trim())]),
    ...tools.map(toolText),
    ...(error === null ? [] : [`**Error:** ${oneLine(error)}`]),
  ]
  return parts.join('\n\n')
}

function toolText({ tool, status, title, output }: TranscriptTool): string {
  const head = `- \`${oneLine(tool)}\` ${oneLine(title ?? '')} (${oneLine(status)})`.replace(/ {2,}/g, ' ')
  if (output === null || output.trim() === '') return head
  const cut = output.length > outputChars
  const shown = cut
    ? `${output.slice(0, outputChars)}\n… ${output.length - outputChars} characters more`
    : output
  const plain = withoutControls(shown).trimEnd()
  const fence = fenceFor(plain)
  return `${head}\n\n${fence}\n${plain}\n${fence}`
}

/** Longer than any fence inside, so that no output ends its own block. */
function fenceFor(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length))
  return '`'.repeat(longest + 1)
}

function oneLine(text: string): string {
  return withoutControls(text.replace(/\s+/g, ' ')).trim()
}
