"""The reference: the IR of a module as CPython's own parser (`ast`) and name analysis (`symtable`) give it.

Reads a JSON list of programs, each `{"text": …}` or `{"module": name of a standard module}`; writes one JSON list. What the IR
has no counterpart for, or what is compared elsewhere (annotations, names of class bodies), is `{"any": true}`. Functions and classes are named by
their place, `fn@line:column`; the temporaries of chained comparisons are `{"kept": …}` where assigned and `{"reused": true}` where read.
"""
import ast
import builtins
import importlib.util
import json
import symtable
import sys
import warnings

ANY = {"any": True}
BINARY = {ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.MatMult: "matmul", ast.Div: "truediv", ast.FloorDiv: "floordiv", ast.Mod: "mod",
          ast.Pow: "pow", ast.LShift: "lshift", ast.RShift: "rshift", ast.BitAnd: "and_", ast.BitOr: "or_", ast.BitXor: "xor"}
COMPARISON = {ast.Eq: "eq", ast.NotEq: "ne", ast.Lt: "lt", ast.LtE: "le", ast.Gt: "gt", ast.GtE: "ge", ast.In: "in", ast.NotIn: "notIn", ast.Is: "is", ast.IsNot: "isNot"}
UNARY = {ast.USub: "neg", ast.UAdd: "pos", ast.Invert: "invert", ast.Not: "not"}
COMPREHENSION = {ast.ListComp: ("listcomp", "list"), ast.SetComp: ("setcomp", "set"), ast.GeneratorExp: ("genexpr", "generator"), ast.DictComp: ("dictcomp", "record")}
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
MODULE_GLOBALS = {"__name__", "__file__", "__doc__", "__package__", "__spec__", "__path__", "__loader__", "__builtins__", "__annotations__", "__dict__"}


class Scope:
    def __init__(self, kind, label, table, parent, name=""):
        self.kind, self.label, self.table, self.parent, self.name = kind, label, table, parent, name
        self.taken = {}

    def child(self, name, lines, kind):
        """The table of the next function or class of that name in that line."""
        if self.table is None:
            return None
        for line in lines:
            found = [t for t in self.table.get_children() if t.get_name() == name and t.get_lineno() == line and str(t.get_type()).split(".")[-1].lower().replace(" ", "_") == kind]
            if found:
                at = self.taken.get((name, line), 0)
                self.taken[name, line] = at + 1
                return found[min(at, len(found) - 1)]
        return None


def binds(symbol):
    return symbol.is_assigned() or symbol.is_imported() or symbol.is_namespace()


class Reference:
    def __init__(self, text):
        self.lines = text.split("\n")
        self.tree = ast.parse(text)
        top = symtable.symtable(text, "m", "exec")
        self.functions, self.classes = {}, {}
        self.module_names = {s.get_name() for s in top.get_symbols() if binds(s)}
        self.add_global_writes(top)
        scope = Scope("module", "m", top, None)
        self.top = self.block(self.tree.body, scope)

    def add_global_writes(self, table):
        for symbol in table.get_symbols():
            if symbol.is_declared_global() and binds(symbol):
                self.module_names.add(symbol.get_name())
        for child in table.get_children():
            self.add_global_writes(child)

    def label(self, kind, node):
        before = self.lines[node.lineno - 1].encode()[: node.col_offset].decode()
        return f"{kind}@{node.lineno}:{len(before.encode('utf-16-le')) // 2 + 1}"

    # Names

    def mangle(self, scope, name):
        if not name.startswith("__") or name.endswith("__"):
            return name
        while scope is not None:
            if scope.kind == "class":
                plain = scope.name.lstrip("_")
                return f"_{plain}{name}" if plain else name
            scope = scope.parent
        return name

    def name(self, name, scope):
        name = self.mangle(scope, name)
        if scope.kind == "module":
            return self.module_name(name)
        if scope.table is None or scope.kind == "type_parameters":
            return ANY
        try:
            symbol = scope.table.lookup(name)
        except KeyError:
            return ANY
        if symbol.is_local() and not symbol.is_global():
            return ANY if scope.kind == "class" else {"kind": "local", "name": name, "owner": scope.label}
        if symbol.is_free() or symbol.is_nonlocal():
            return self.captured(name, scope.parent)
        return self.module_name(name)

    def captured(self, name, scope):
        while scope is not None and scope.kind != "module":
            if scope.kind != "class" and scope.table is not None:
                try:
                    symbol = scope.table.lookup(name)
                    if symbol.is_local() and not symbol.is_global():
                        return ANY if scope.kind == "type_parameters" else {"kind": "local", "name": name, "owner": scope.label}
                except KeyError:
                    pass
            scope = scope.parent
        return ANY

    def module_name(self, name):
        if name in self.module_names:
            return {"kind": "module-variable", "module": "m", "name": name}
        if name in MODULE_GLOBALS or not hasattr(builtins, name):
            return ANY
        return {"kind": "external", "identity": f"py:builtins#{name}"}

    # Expressions

    def constant(self, value):
        if value is None:
            out = {"type": "null"}
        elif isinstance(value, bool):
            out = {"type": "boolean", "value": value}
        elif value is Ellipsis:
            out = {"type": "special", "name": "Ellipsis"}
        elif isinstance(value, str):
            if any(0xD800 <= ord(c) <= 0xDFFF for c in value):
                return ANY
            out = {"type": "string", "value": value}
        elif isinstance(value, bytes):
            out = {"type": "bytes", "hex": value.hex()}
        elif isinstance(value, int):
            out = {"type": "int", "value": str(value)}
        elif isinstance(value, float) and value not in (float("inf"),):
            out = {"type": "float", "value": value}
        else:
            return ANY
        return {"kind": "constant", "value": out}

    def elements(self, nodes, scope):
        return [{"kind": "spread", "value": self.expression(n.value, scope)} if isinstance(n, ast.Starred) else {"kind": "item", "value": self.expression(n, scope)} for n in nodes]

    def arguments(self, call, scope):
        """Python evaluates positional arguments and `*x` before keywords, wherever they stand."""
        out = []
        for arg in call.args:
            starred = isinstance(arg, ast.Starred)
            out.append({"kind": "spread" if starred else "positional", "value": self.expression(arg.value if starred else arg, scope)})
        for keyword in call.keywords:
            value = self.expression(keyword.value, scope)
            out.append({"kind": "spread-keywords", "value": value} if keyword.arg is None else {"kind": "keyword", "name": keyword.arg, "value": value})
        return out

    def template_parts(self, values, scope):
        out = []
        for value in values:
            if isinstance(value, ast.Constant):
                if out and out[-1]["kind"] == "text":
                    out[-1]["text"] += value.value
                else:
                    out.append({"kind": "text", "text": value.value})
                continue
            part = {"kind": "value", "value": self.expression(value.value, scope), "conversion": {-1: "format", 115: "str", 114: "repr", 97: "ascii"}[value.conversion]}
            specification = [] if value.format_spec is None else self.template_parts(value.format_spec.values, scope)
            if specification:
                part["format"] = specification
            out.append(part)
        return [part for part in out if part["kind"] != "text" or part["text"] != ""]

    def comprehension(self, node, scope):
        name, kind = COMPREHENSION[type(node)]
        inner = Scope("comprehension", self.label("scope", node), scope.child(name, [node.lineno], "function"), scope)
        clauses = []
        for at, generator in enumerate(node.generators):
            iterable = self.expression(generator.iter, scope if at == 0 else inner)
            clauses.append({"kind": "for", "target": self.target(generator.target, inner), "iterable": iterable, "async": bool(generator.is_async)})
            clauses += [{"kind": "if", "test": self.expression(test, inner)} for test in generator.ifs]
        out = {"kind": "comprehension", "as": kind, "scope": inner.label}
        if isinstance(node, ast.DictComp):
            out["key"] = self.expression(node.key, inner)
            out["value"] = self.expression(node.value, inner)
        else:
            out["value"] = self.expression(node.elt, inner)
        out["clauses"] = clauses
        return out

    def comparison(self, node, scope):
        left, result = self.expression(node.left, scope), None
        for at, (operator, operand) in enumerate(zip(node.ops, node.comparators)):
            right = self.expression(operand, scope)
            if at + 1 < len(node.ops):
                right = {"kept": right}
            one = {"kind": "binary", "operator": "py." + COMPARISON[type(operator)], "left": left, "right": right}
            result = one if result is None else {"kind": "logical", "operator": "and", "left": result, "right": one}
            left = {"reused": True}
        return result

    def subscript(self, node, scope):
        value = self.expression(node.value, scope)
        if isinstance(node.slice, ast.Slice):
            bounds = {"lower": node.slice.lower, "upper": node.slice.upper, "step": node.slice.step}
            return {"kind": "slice", "object": value, **{name: self.expression(bound, scope) for name, bound in bounds.items() if bound is not None}}
        if isinstance(node.slice, ast.Tuple) and any(isinstance(e, ast.Slice) for e in node.slice.elts):
            return ANY
        return {"kind": "index", "object": value, "index": self.expression(node.slice, scope), "optional": False}

    def expression(self, node, scope):
        lower = lambda inner: self.expression(inner, scope)
        match node:
            case ast.Constant():
                return self.constant(node.value)
            case ast.Name():
                return self.name(node.id, scope)
            case ast.JoinedStr():
                parts = self.template_parts(node.values, scope)
                if all(part["kind"] == "text" for part in parts):
                    return self.constant("".join(part["text"] for part in parts))
                return {"kind": "template", "parts": parts}
            case ast.List() | ast.Tuple() | ast.Set():
                return {"kind": "list", "as": type(node).__name__.lower(), "elements": self.elements(node.elts, scope)}
            case ast.Dict():
                return {"kind": "record", "entries": [{"kind": "spread", "value": lower(v)} if k is None else {"kind": "entry", "key": lower(k), "value": lower(v)} for k, v in zip(node.keys, node.values)]}
            case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
                return self.comprehension(node, scope)
            case ast.Attribute():
                return {"kind": "member", "object": lower(node.value), "name": self.mangle(scope, node.attr), "optional": False}
            case ast.Subscript():
                return self.subscript(node, scope)
            case ast.Call():
                callee = lower(node.func)
                return {"kind": "call", "callee": callee, "arguments": self.arguments(node, scope), "optional": False}
            case ast.UnaryOp():
                return {"kind": "unary", "operator": "py." + UNARY[type(node.op)], "operand": lower(node.operand)}
            case ast.BinOp():
                return {"kind": "binary", "operator": "py." + BINARY[type(node.op)], "left": lower(node.left), "right": lower(node.right)}
            case ast.BoolOp():
                operator = "and" if isinstance(node.op, ast.And) else "or"
                out = lower(node.values[0])
                for value in node.values[1:]:
                    out = {"kind": "logical", "operator": operator, "left": out, "right": lower(value)}
                return out
            case ast.Compare():
                return self.comparison(node, scope)
            case ast.IfExp():
                return {"kind": "conditional", "test": lower(node.test), "then": lower(node.body), "otherwise": lower(node.orelse)}
            case ast.NamedExpr():
                return {"kind": "assign-expression", "target": self.target(node.target, scope), "value": lower(node.value)}
            case ast.Await():
                return {"kind": "await", "value": lower(node.value)}
            case ast.Yield():
                return {"kind": "yield", "delegate": False, **({} if node.value is None else {"value": lower(node.value)})}
            case ast.YieldFrom():
                return {"kind": "yield", "delegate": True, "value": lower(node.value)}
            case ast.Lambda():
                return {"kind": "closure", "function": self.function(node, scope)}
        return ANY

    def target(self, node, scope):
        if isinstance(node, (ast.Tuple, ast.List)):
            return {"kind": "unpack", "elements": [{"target": self.target(e.value if isinstance(e, ast.Starred) else e, scope), "starred": isinstance(e, ast.Starred)} for e in node.elts]}
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice):
            return ANY
        return self.expression(node, scope)

    # Functions and classes

    def parameters(self, args, scope, inside):
        out = []

        def add(parameter, kind, default=None):
            out.append({"name": self.mangle(inside, parameter.arg), "kind": kind, **({} if default is None else {"default": self.expression(default, scope)})})

        positional = [*args.posonlyargs, *args.args]
        defaults = [None] * (len(positional) - len(args.defaults)) + args.defaults
        for at, parameter in enumerate(positional):
            add(parameter, "positional-only" if at < len(args.posonlyargs) else "positional", defaults[at])
        if args.vararg:
            add(args.vararg, "rest")
        for parameter, default in zip(args.kwonlyargs, args.kw_defaults):
            add(parameter, "keyword-only", default)
        if args.kwarg:
            add(args.kwarg, "keyword-rest")
        return out

    def lines_of(self, node):
        """Python versions differ in the line that a decorated definition is in."""
        return [node.lineno, *(d.lineno for d in getattr(node, "decorator_list", [])[:1])]

    def around(self, node, scope):
        if not getattr(node, "type_params", None):
            return scope
        return Scope("type_parameters", "", scope.child(node.name, self.lines_of(node), "type_parameters"), scope)

    def function(self, node, scope):
        is_lambda = isinstance(node, ast.Lambda)
        label = self.label("fn", node)
        name = "lambda" if is_lambda else node.name
        decorators = [] if is_lambda else [self.expression(d, scope) for d in node.decorator_list]
        parameters = self.parameters(node.args, scope, scope)
        outer = self.around(node, scope)
        inner = Scope("function", label, outer.child(name, self.lines_of(node), "function"), outer)
        body = [{"kind": "return", "value": self.expression(node.body, inner)}] if is_lambda else self.block(node.body, inner)
        self.functions[label] = {
            "name": "<lambda>" if is_lambda else node.name,
            "async": isinstance(node, ast.AsyncFunctionDef),
            "generator": any(yields(s) for s in ([node.body] if is_lambda else node.body)),
            "decorators": decorators,
            "parameters": parameters,
            "body": body,
        }
        return label

    def class_(self, node, scope):
        label = self.label("class", node)
        outer = self.around(node, scope)
        inner = Scope("class", label, outer.child(node.name, self.lines_of(node), "class"), outer, node.name)
        self.classes[label] = {"name": node.name, "methods": [self.mangle(inner, s.name) for s in node.body if isinstance(s, FUNCTIONS)]}
        self.block(node.body, inner)
        return label

    # Statements

    def block(self, statements, scope):
        return [lowered for statement in statements for lowered in self.statement(statement, scope)]

    def imported(self, node, scope):
        if isinstance(node, ast.Import):
            return [{"kind": "assign", "targets": [self.name(a.asname or a.name.split(".")[0], scope)], "value": {"kind": "external", "identity": "py:" + (a.name if a.asname else a.name.split(".")[0])}} for a in node.names]
        if node.module == "__future__":
            return []
        if node.names[0].name == "*":
            return [ANY]
        return [{"kind": "assign", "targets": [self.name(a.asname or a.name, scope)], "value": ANY if node.level else {"kind": "external", "identity": f"py:{node.module}#{a.name}"}} for a in node.names]

    def try_(self, node, scope):
        body, handlers = self.block(node.body, scope), []
        for handler in node.handlers:
            out = {} if handler.type is None else {"types": self.expression(handler.type, scope)}
            if handler.name:
                out["name"] = self.name(handler.name, scope)
            handlers.append({**out, "body": self.block(handler.body, scope)})
        return {"kind": "try", "body": body, "handlers": handlers, "otherwise": self.block(node.orelse, scope), "finally": self.block(node.finalbody, scope)}

    def statement(self, node, scope):
        lower = lambda inner: self.expression(inner, scope)
        optional = lambda name, inner: {} if inner is None else {name: lower(inner)}
        match node:
            case ast.Expr():
                return [{"kind": "expression", "expression": lower(node.value)}]
            case ast.Assign():
                value = lower(node.value)
                return [{"kind": "assign", "targets": [self.target(t, scope) for t in node.targets], "value": value}]
            case ast.AnnAssign():
                if node.value is None:
                    return [] if isinstance(node.target, ast.Name) else [ANY]
                value = lower(node.value)
                return [{"kind": "assign", "targets": [self.target(node.target, scope)], "value": value}]
            case ast.AugAssign():
                return [{"kind": "augmented-assign", "target": self.target(node.target, scope), "operator": "py." + BINARY[type(node.op)], "value": lower(node.value)}]
            case ast.Return():
                return [{"kind": "return", **optional("value", node.value)}]
            case ast.Pass() | ast.Global() | ast.Nonlocal():
                return []
            case ast.Break():
                return [{"kind": "break"}]
            case ast.Continue():
                return [{"kind": "continue"}]
            case ast.Raise():
                return [{"kind": "throw", **optional("value", node.exc), **optional("cause", node.cause)}]
            case ast.Assert():
                return [{"kind": "assert", "test": lower(node.test), **optional("message", node.msg)}]
            case ast.Delete():
                return [{"kind": "delete", "target": self.target(t, scope)} for t in flattened(node.targets)]
            case ast.Import() | ast.ImportFrom():
                return self.imported(node, scope)
            case ast.If():
                return [{"kind": "if", "test": lower(node.test), "then": self.block(node.body, scope), "otherwise": self.block(node.orelse, scope)}]
            case ast.For() | ast.AsyncFor():
                iterable = lower(node.iter)
                return [{"kind": "for-each", "target": self.target(node.target, scope), "iterable": iterable, "body": self.block(node.body, scope), "otherwise": self.block(node.orelse, scope), "async": isinstance(node, ast.AsyncFor)}]
            case ast.While():
                return [{"kind": "while", "test": lower(node.test), "body": self.block(node.body, scope), "otherwise": self.block(node.orelse, scope)}]
            case ast.Try():
                return [self.try_(node, scope)]
            case ast.With() | ast.AsyncWith():
                items = [{"context": lower(i.context_expr), **({} if i.optional_vars is None else {"target": self.target(i.optional_vars, scope)})} for i in node.items]
                return [{"kind": "with", "items": items, "body": self.block(node.body, scope), "async": isinstance(node, ast.AsyncWith)}]
            case ast.Match():
                cases = [{"pattern": self.pattern(c.pattern, scope), **optional("guard", c.guard), "body": self.block(c.body, scope)} for c in node.cases]
                return [{"kind": "match", "subject": lower(node.subject), "cases": cases}]
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                return [{"kind": "define-function", "function": self.function(node, scope), "target": self.name(node.name, scope)}]
            case ast.ClassDef():
                return [{"kind": "define-class", "class": self.class_(node, scope), "target": self.name(node.name, scope)}]
        return [ANY]

    def pattern(self, node, scope):
        lower = lambda inner: self.pattern(inner, scope)
        match node:
            case ast.MatchValue():
                return {"kind": "value", "operator": "py.eq", "value": self.expression(node.value, scope)}
            case ast.MatchSingleton():
                return {"kind": "value", "operator": "py.is", "value": self.constant(node.value)}
            case ast.MatchAs():
                if node.name is None:
                    return {"kind": "wildcard"}
                return {"kind": "capture", "target": self.name(node.name, scope), **({} if node.pattern is None else {"pattern": lower(node.pattern)})}
            case ast.MatchOr():
                return {"kind": "or", "alternatives": [lower(p) for p in node.patterns]}
            case ast.MatchSequence():
                return {"kind": "sequence", "elements": [{"pattern": lower(ast.MatchAs(name=p.name)) if isinstance(p, ast.MatchStar) else lower(p), "starred": isinstance(p, ast.MatchStar)} for p in node.patterns]}
            case ast.MatchMapping():
                entries = [{"key": self.expression(k, scope), "pattern": lower(v)} for k, v in zip(node.keys, node.patterns)]
                return {"kind": "mapping", "entries": entries, **({} if node.rest is None else {"rest": self.name(node.rest, scope)})}
            case ast.MatchClass():
                keywords = [{"name": name, "pattern": lower(p)} for name, p in zip(node.kwd_attrs, node.kwd_patterns)]
                return {"kind": "class", "class": self.expression(node.cls, scope), "positional": [lower(p) for p in node.patterns], "keywords": keywords}
        return ANY


def yields(node):
    if isinstance(node, (ast.Yield, ast.YieldFrom)):
        return True
    if isinstance(node, (*FUNCTIONS, ast.Lambda, ast.ClassDef)):
        return False
    return any(yields(child) for child in ast.iter_child_nodes(node))


def flattened(targets):
    return [inner for t in targets for inner in (flattened(t.elts) if isinstance(t, (ast.Tuple, ast.List)) else [t])]


def answer(program):
    text = program.get("text")
    if text is None:
        spec = importlib.util.find_spec(program["module"])
        if spec is None or not spec.has_location or not spec.origin.endswith(".py"):
            return {"absent": True}
        with open(spec.origin, encoding="utf-8") as file:
            text = file.read()
    try:
        compile(text, "m", "exec")
        reference = Reference(text)
    except (SyntaxError, ValueError) as error:
        return {"text": text, "refused": str(error)}
    return {"text": text, "functions": reference.functions, "classes": reference.classes}


sys.setrecursionlimit(10000)
warnings.simplefilter("ignore")
json.dump([answer(program) for program in json.load(sys.stdin)], sys.stdout)
