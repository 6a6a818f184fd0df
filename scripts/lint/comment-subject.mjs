const question = /^(What|Where|Who|How)\b/

/** A doc comment begins with the thing that it is about: "Closes the change request.", never "What closes it." */
export const commentSubject = {
  meta: {
    type: 'suggestion',
    schema: [],
    messages: { subject: 'Begin the comment with the thing, not with “{{word}}”.' },
  },
  create: (context) => ({
    Program() {
      for (const comment of context.sourceCode.getAllComments()) {
        if (comment.type !== 'Block' || !comment.value.startsWith('*')) continue
        const [word] = question.exec(comment.value.replace(/^[\s*]+/, '')) ?? []
        if (word !== undefined) context.report({ loc: comment.loc, messageId: 'subject', data: { word } })
      }
    },
  }),
}
