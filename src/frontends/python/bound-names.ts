/** Which names statements bind. */
import { SYNTAX_DEPTH_MAX } from '../../base/limits.js';
import { field, fields, parts, type SyntaxNode } from './syntax.js';

export interface BoundNames {
  readonly names: ReadonlySet<string>;
  readonly globals: ReadonlySet<string>;
  readonly nonlocals: ReadonlySet<string>;
  /** Variables of other activations that are assigned here; those of the module as `@name`. */
  readonly writesOuter: readonly string[];
}

/**
 * Names bound by the statements of one block, nested functions and classes not entered. What is nested too deeply to be
 * lowered is not looked at.
 */
export function boundNames(body: readonly SyntaxNode[], parameters: readonly string[] = []): BoundNames {
  const assigned = new Set<string>();
  const globals = new Set<string>();
  const nonlocals = new Set<string>();
  let depth = 0;
  const visit = (node: SyntaxNode): void => {
    if (depth > SYNTAX_DEPTH_MAX) return;
    depth += 1;
    enter(node);
    depth -= 1;
  };
  const enter = (node: SyntaxNode): void => {
    switch (node.type) {
      case 'function_definition':
      case 'class_definition': {
        const name = field(node, 'name');
        if (name !== undefined) assigned.add(name.text);
        // Defaults, bases and annotations are evaluated here and may hold a walrus.
        for (const part of parts(node)) if (part.type === 'parameters' || part.type === 'argument_list' || part.type === 'type') visit(part);
        return;
      }
      case 'lambda': {
        const parameters = field(node, 'parameters');
        if (parameters !== undefined) visit(parameters);
        return;
      }
      case 'global_statement':
        for (const name of parts(node)) globals.add(name.text);
        return;
      case 'nonlocal_statement':
        for (const name of parts(node)) nonlocals.add(name.text);
        return;
      case 'import_statement':
        for (const name of fields(node, 'name')) assigned.add(importedAs(name));
        return;
      case 'import_from_statement':
        for (const name of fields(node, 'name')) assigned.add(name.type === 'aliased_import' ? field(name, 'alias')!.text : name.text);
        return;
      case 'assignment':
      case 'augmented_assignment':
      case 'for_statement': {
        const left = field(node, 'left');
        // An annotation alone makes a name local too.
        if (left !== undefined) for (const name of targetNames(left)) assigned.add(name);
        break;
      }
      case 'for_in_clause':
        // Comprehension targets belong to the comprehension; their members and its iterables may hold a walrus.
        for (const part of parts(node)) visit(part);
        return;
      case 'named_expression': {
        const name = field(node, 'name');
        if (name !== undefined) assigned.add(name.text);
        break;
      }
      case 'as_pattern_target':
        for (const name of targetNames(node)) assigned.add(name);
        break;
      case 'except_clause': {
        const alias = field(node, 'alias');
        if (alias !== undefined) for (const name of targetNames(alias)) assigned.add(name);
        break;
      }
      case 'delete_statement':
        for (const part of parts(node)) for (const name of targetNames(part)) assigned.add(name);
        break;
      case 'case_clause':
        for (const part of parts(node)) if (part.type === 'case_pattern') patternNames(part, assigned);
        break;
      case 'type_alias_statement': {
        const left = field(node, 'left');
        if (left !== undefined) assigned.add(left.text.replace(/\s*\[.*$/s, ''));
        return;
      }
      default:
        break;
    }
    for (const part of parts(node)) visit(part);
  };
  for (const statement of body) visit(statement);
  const writesOuter = [...assigned].flatMap((name) => (globals.has(name) ? [`@${name}`] : nonlocals.has(name) ? [name] : [])).sort();
  const names = new Set([...parameters, ...[...assigned].filter((name) => !globals.has(name) && !nonlocals.has(name))]);
  return { names, globals, nonlocals, writesOuter };
}

/** The name that `import a.b.c` or `import a.b as x` binds. */
export function importedAs(node: SyntaxNode): string {
  return node.type === 'aliased_import' ? field(node, 'alias')!.text : node.text.split('.')[0]!.replaceAll(/[\s\\]/g, '');
}

/** Plain names that a target binds (members and elements bind none). */
export function targetNames(node: SyntaxNode, depth = 0): string[] {
  if (depth > SYNTAX_DEPTH_MAX) return [];
  switch (node.type) {
    case 'identifier':
      return [node.text];
    case 'attribute':
    case 'subscript':
      return [];
    default:
      return parts(node).flatMap((part) => targetNames(part, depth + 1));
  }
}

function patternNames(node: SyntaxNode, names: Set<string>, depth = 0): void {
  if (depth > SYNTAX_DEPTH_MAX) return;
  switch (node.type) {
    case 'dotted_name': {
      const only = parts(node);
      if (only.length === 1 && only[0]!.text !== '_') names.add(only[0]!.text);
      return;
    }
    case 'class_pattern':
      for (const part of parts(node).slice(1)) patternNames(part, names, depth + 1);
      return;
    case 'keyword_pattern':
      for (const part of parts(node).slice(1)) patternNames(part, names, depth + 1);
      return;
    case 'as_pattern': {
      for (const part of parts(node)) {
        if (part.type === 'identifier' || part.type === 'as_pattern_target') names.add(part.text);
        else patternNames(part, names, depth + 1);
      }
      return;
    }
    case 'splat_pattern':
      for (const part of parts(node)) if (part.type === 'identifier' && part.text !== '_') names.add(part.text);
      return;
    case 'dict_pattern': {
      for (const value of fields(node, 'value')) patternNames(value, names, depth + 1);
      for (const part of parts(node)) if (part.type === 'splat_pattern') patternNames(part, names, depth + 1);
      return;
    }
    default:
      for (const part of parts(node)) patternNames(part, names, depth + 1);
  }
}

