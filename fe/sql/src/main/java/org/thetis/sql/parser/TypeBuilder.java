// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.parser;

import static org.thetis.sql.parser.SourceText.position;

import java.util.ArrayList;
import java.util.List;
import org.antlr.v4.runtime.tree.ParseTree;
import org.thetis.base.error.SourcePosition;
import org.thetis.sql.ast.TypeName;
import org.thetis.sql.grammar.ThetisParser;

/** Builds type names. */
final class TypeBuilder {
    private final SourceText source;

    TypeBuilder(SourceText source) {
        this.source = source;
    }

    TypeName build(ThetisParser.DataTypeContext context) {
        SourcePosition position = position(context);
        if (context instanceof ThetisParser.ScalarTypeContext scalar) {
            return scalar(position, scalar);
        }
        if (context instanceof ThetisParser.SignedTypeContext signed) {
            return simple(position, signed.UNSIGNED() != null ? "UNSIGNED" : "SIGNED", List.of());
        }
        if (context instanceof ThetisParser.ArrayTypeContext array) {
            return nested(position, "ARRAY", List.of(build(array.dataType())));
        }
        if (context instanceof ThetisParser.MapTypeContext map) {
            return nested(position, "MAP", List.of(build(map.dataType(0)), build(map.dataType(1))));
        }
        if (context instanceof ThetisParser.StructTypeContext struct) {
            return struct(position, struct);
        }
        ThetisParser.AggregateStateTypeContext state = (ThetisParser.AggregateStateTypeContext) context;
        List<TypeName> arguments = state.aggregateArgument().stream()
                .map(argument -> build(argument.dataType()))
                .toList();
        return new TypeName(
                position,
                "AGG_STATE",
                List.of(),
                arguments,
                List.of(state.functionName().getText()),
                List.of());
    }

    private TypeName scalar(SourcePosition position, ThetisParser.ScalarTypeContext context) {
        String name = Texts.upper(Texts.name(context.identifier()));
        if (!context.UNSIGNED().isEmpty()) {
            name = widened(name);
        }
        return simple(
                position,
                name,
                context.typeParameter().stream().map(ParseTree::getText).toList());
    }

    /** There are no unsigned types: the next wider type holds all values. */
    private static String widened(String name) {
        return switch (name) {
            case "TINYINT" -> "SMALLINT";
            case "SMALLINT" -> "INT";
            case "MEDIUMINT", "INT", "INTEGER" -> "BIGINT";
            case "BIGINT" -> "LARGEINT";
            default -> name;
        };
    }

    private TypeName struct(SourcePosition position, ThetisParser.StructTypeContext context) {
        List<TypeName> children = new ArrayList<>();
        List<String> names = new ArrayList<>();
        List<String> comments = new ArrayList<>();
        for (ThetisParser.StructFieldContext field : context.structField()) {
            children.add(build(field.dataType()));
            names.add(Texts.name(field.identifier()));
            String comment = Texts.comment(field.commentClause(), source);
            comments.add(comment == null ? "" : comment);
        }
        return new TypeName(position, "STRUCT", List.of(), children, names, comments);
    }

    private static TypeName simple(SourcePosition position, String name, List<String> parameters) {
        return new TypeName(position, name, parameters, List.of(), List.of(), List.of());
    }

    private static TypeName nested(SourcePosition position, String name, List<TypeName> children) {
        return new TypeName(position, name, List.of(), children, List.of(), List.of());
    }
}
