/** A summary as plain data: in words, and with the evidence that ties it to what it was made from. */
import type { DescribedOutcome } from '../pipeline/describe-summary.js';
import type { SummaryAnswer } from '../pipeline/pair.js';
import { effectForm, reasonForm } from './json.js';

export function summaryForm({ served, view, evidence }: SummaryAnswer): object {
  return {
    served,
    absent: view.absent,
    domain: view.domain,
    effects: view.effects.map(effectForm),
    disclosures: view.disclosures.map(outcomeForm),
    exits: view.exits.map(outcomeForm),
    escalations: view.escalations.map((escalation) => ({ ...reasonForm(escalation), when: escalation.when })),
    inputs: view.inputs,
    evidence,
  };
}

function outcomeForm({ text, when, span }: DescribedOutcome): object {
  return { text, when, ...(span === undefined ? {} : { file: span.file, line: span.line }) };
}
