import { expect, test } from 'vitest'
import { html, singleLine } from './html.ts'

test('values are escaped, parts of pages are not', () => {
  const name = `<script>alert("1")</script>'&`
  expect(html`<p title="${name}">${html`<b>${name}</b>`}</p>`.text).toBe(
    '<p title="&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&#39;&amp;">' +
      '<b>&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&#39;&amp;</b></p>',
  )
})

test('nothing is shown for null', () => expect(html`a${null}b`.text).toBe('ab'))

test.each([
  ['a plain name', 'a plain name'],
  ['two\nlines\u202e', 'two lines'],
  ['x'.repeat(200), `${'x'.repeat(80)}…`],
])('a name %j is shown as %j', (given, expected) => expect(singleLine(given)).toBe(expected))
