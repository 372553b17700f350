/** Binding by signature (see the head of the finished file). */
import type { LanguageSemantics } from '../../analysis/language.js';
export const bindSignature: LanguageSemantics['bindSignature'] = (machine, _handler, _args, span) => {
  machine.stop('binding-unsupported', 'a handler with a typed signature', span, 'review the handler by hand');
  return undefined;
};
