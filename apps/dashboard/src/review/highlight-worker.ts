import { createCssVariablesTheme, createHighlighterCore, type LanguageInput } from 'shiki/core'
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript'

/** A grammar each, loaded when the first text of it comes. */
const grammars: Readonly<Record<string, () => Promise<{ default: LanguageInput }>>> = {
  bash: () => import('shiki/langs/bash.mjs'),
  c: () => import('shiki/langs/c.mjs'),
  cpp: () => import('shiki/langs/cpp.mjs'),
  csharp: () => import('shiki/langs/csharp.mjs'),
  css: () => import('shiki/langs/css.mjs'),
  diff: () => import('shiki/langs/diff.mjs'),
  docker: () => import('shiki/langs/docker.mjs'),
  go: () => import('shiki/langs/go.mjs'),
  html: () => import('shiki/langs/html.mjs'),
  java: () => import('shiki/langs/java.mjs'),
  javascript: () => import('shiki/langs/javascript.mjs'),
  json: () => import('shiki/langs/json.mjs'),
  jsx: () => import('shiki/langs/jsx.mjs'),
  kotlin: () => import('shiki/langs/kotlin.mjs'),
  markdown: () => import('shiki/langs/markdown.mjs'),
  php: () => import('shiki/langs/php.mjs'),
  python: () => import('shiki/langs/python.mjs'),
  ruby: () => import('shiki/langs/ruby.mjs'),
  rust: () => import('shiki/langs/rust.mjs'),
  sql: () => import('shiki/langs/sql.mjs'),
  swift: () => import('shiki/langs/swift.mjs'),
  toml: () => import('shiki/langs/toml.mjs'),
  tsx: () => import('shiki/langs/tsx.mjs'),
  typescript: () => import('shiki/langs/typescript.mjs'),
  xml: () => import('shiki/langs/xml.mjs'),
  yaml: () => import('shiki/langs/yaml.mjs'),
}

const theme = 'css-variables'
const highlighter = createHighlighterCore({
  themes: [createCssVariablesTheme({ name: theme })],
  langs: [],
  engine: createJavaScriptRegexEngine({ forgiving: true }),
})

/** Longer lines stay plain: colours are no help there, and cost much. */
const lineChars = 2_000

async function tokensOf(text: string, language: string) {
  const load = grammars[language]
  if (load === undefined) return []
  const shiki = await highlighter
  if (!shiki.getLoadedLanguages().includes(language)) await shiki.loadLanguage((await load()).default)
  const lines = shiki.codeToTokensBase(text, { lang: language, theme, tokenizeMaxLineLength: lineChars })
  return lines.map((line) =>
    line.map(({ content, color }) => [content, /token-([\w-]+)/.exec(color ?? '')?.[1] ?? ''] as const),
  )
}

addEventListener('message', ({ data }: MessageEvent<{ id: number; text: string; language: string }>) => {
  void tokensOf(data.text, data.language)
    .catch(() => [])
    .then((lines) => postMessage({ id: data.id, lines }))
})
