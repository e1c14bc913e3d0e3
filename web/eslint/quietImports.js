/** Importing a module only defines things: no statement runs, no effect begins, the browser is not touched. */
const BROWSER = new Set(['window', 'document', 'localStorage', 'sessionStorage', 'location', 'navigator', 'fetch'])
const STARTERS = new Set(['effect', 'setTimeout', 'setInterval', 'requestAnimationFrame', 'addEventListener'])
const LATER = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression', 'PropertyDefinition'])

/** Whether a node runs when its module is imported. */
function runsAtImport(node) {
  for (let at = node.parent; at; at = at.parent) if (LATER.has(at.type)) return false
  return true
}

export const quietImports = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      statement: 'importing a module may not run anything; put this into a function that main.tsx starts',
      global: '{{name}} may not be used while a module is imported',
    },
  },
  create(context) {
    const { scopeManager } = context.sourceCode
    return {
      'Program > ExpressionStatement': (node) => context.report({ node, messageId: 'statement' }),
      'Program:exit'() {
        for (const { identifier } of scopeManager.globalScope.through) {
          const { name } = identifier
          if (BROWSER.has(name) && runsAtImport(identifier))
            context.report({ node: identifier, messageId: 'global', data: { name } })
        }
      },
      CallExpression(node) {
        const { name } = node.callee
        if (STARTERS.has(name) && runsAtImport(node)) context.report({ node, messageId: 'global', data: { name } })
      },
    }
  },
}
