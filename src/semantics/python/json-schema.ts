/** Acceptance by JSON schema (see the head of the finished file). */
import type { LanguageSemantics } from '../../analysis/language.js';
export const schemaAccepts: LanguageSemantics['schemaAccepts'] = (machine, _schema, _value, span) => {
  machine.stop('binding-unsupported', 'arguments are checked against a schema', span, 'review the handler by hand');
  return 0;
};
