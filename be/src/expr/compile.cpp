// SPDX-License-Identifier: Apache-2.0
#include "expr/nodes.h"
#include "expr_types.h"
#include "functions/registries.h"

namespace thetis {

namespace {

constexpr int kMaxDepth = 2000;

class Compiler {
public:
    explicit Compiler(const FunctionRegistries& functions) : functions_(functions) {}

    Result<ExpressionPtr> compile(const wire::Expr& expr, int depth) const {
        if (depth > kMaxDepth) {
            return Status::error(
                ErrorCode::kNotSupported, "Expression is nested deeper than {} levels", kMaxDepth
            );
        }
        ASSIGN_OR_RETURN(const DataType type, from_wire(expr.type));
        std::vector<ExpressionPtr> children;
        children.reserve(expr.children.size());
        for (const wire::Expr& child : expr.children) {
            ASSIGN_OR_RETURN(ExpressionPtr compiled, compile(child, depth + 1));
            children.push_back(std::move(compiled));
        }
        const wire::ExprNode& node = expr.node;
        if (node.__isset.literal) {
            ASSIGN_OR_RETURN(Scalar value, from_wire(node.literal, type));
            return ExpressionPtr(std::make_shared<LiteralExpression>(std::move(value)));
        }
        if (node.__isset.slot) {
            if (node.slot.position < 0) {
                return Status::error(
                    ErrorCode::kInvalidArgument, "Slot position {} is negative", node.slot.position
                );
            }
            return ExpressionPtr(std::make_shared<SlotExpression>(type, node.slot.position));
        }
        if (node.__isset.call) {
            return call(node.call.name, type, std::move(children));
        }
        if (node.__isset.cast) {
            RETURN_IF_ERROR(expect(children.size() == 1, "CAST"));
            return ExpressionPtr(std::make_shared<CastExpression>(type, std::move(children[0])));
        }
        if (node.__isset.connective) {
            bool are_boolean = !children.empty();
            for (const ExpressionPtr& child : children) {
                are_boolean &= child->type().physical() == PhysicalType::kBool;
            }
            RETURN_IF_ERROR(expect(are_boolean, "AND/OR"));
            return ExpressionPtr(std::make_shared<ConnectiveExpression>(
                node.connective.is_and, type, std::move(children)
            ));
        }
        if (node.__isset.case_when) {
            return case_when(
                type, std::move(children), node.case_when.has_operand, node.case_when.has_else
            );
        }
        if (node.__isset.in_list) {
            RETURN_IF_ERROR(expect(children.size() >= 2, "IN"));
            return InExpression::create(type, std::move(children), node.in_list.negated);
        }
        return Status::error(ErrorCode::kNotSupported, "Expression node of an unknown kind");
    }

private:
    static Status expect(bool holds, std::string_view what) {
        return holds ? Status()
                     : Status::error(
                           ErrorCode::kInvalidArgument,
                           "{} has the wrong number or types of children",
                           what
                       );
    }

    Result<ExpressionPtr> call(
        const std::string& name, const DataType& type, std::vector<ExpressionPtr> children
    ) const {
        const ScalarRegistry::Entry* entry = functions_.scalar.find(name);
        if (entry == nullptr) {
            return Status::error(ErrorCode::kNotSupported, "Function {} is not supported", name);
        }
        std::vector<DataType> types;
        std::vector<ColumnPtr> constants;
        for (const ExpressionPtr& child : children) {
            types.push_back(child->type());
            constants.push_back(
                child->kind() == ExpressionKind::kLiteral
                    ? static_cast<const LiteralExpression&>(*child).column()
                    : nullptr
            );
        }
        ASSIGN_OR_RETURN(Kernel kernel, entry->factory({name, types, constants, type}));
        return ExpressionPtr(std::make_shared<CallExpression>(
            name, type, std::move(children), std::move(kernel), entry->traits
        ));
    }

    Result<ExpressionPtr> case_when(
        const DataType& type, std::vector<ExpressionPtr> children, bool has_operand, bool has_else
    ) const {
        const size_t branches = children.size() - (has_operand ? 1 : 0) - (has_else ? 1 : 0);
        RETURN_IF_ERROR(expect(children.size() >= 2 && branches >= 2 && branches % 2 == 0, "CASE"));
        if (has_operand) {
            const ExpressionPtr operand = children[0];
            children.erase(children.begin());
            for (size_t i = 0; i + 1 < children.size(); i += 2) {
                ASSIGN_OR_RETURN(
                    children[i], call("eq", DataType::of(TypeId::kBoolean), {operand, children[i]})
                );
            }
        }
        for (size_t i = 0; i < children.size(); ++i) {
            const bool is_when = i % 2 == 0 && i + 1 < children.size();
            RETURN_IF_ERROR(expect(
                children[i]->type().physical() == (is_when ? PhysicalType::kBool : type.physical()),
                "CASE"
            ));
        }
        return ExpressionPtr(std::make_shared<CaseExpression>(type, std::move(children)));
    }

    const FunctionRegistries& functions_;
};

}  // namespace

Result<ExpressionPtr> compile(const wire::Expr& expr, const FunctionRegistries& functions) {
    return Compiler(functions).compile(expr, 0);
}

Result<std::vector<ExpressionPtr>> compile_all(
    const std::vector<wire::Expr>& exprs, const FunctionRegistries& functions
) {
    std::vector<ExpressionPtr> compiled;
    for (const wire::Expr& expr : exprs) {
        ASSIGN_OR_RETURN(ExpressionPtr expression, compile(expr, functions));
        compiled.push_back(std::move(expression));
    }
    return compiled;
}

Result<DataType> from_wire(const wire::DataTypeDesc& desc) {
    if (desc.id < 0 || desc.id > static_cast<int32_t>(TypeId::kIpv6)) {
        return Status::error(ErrorCode::kInvalidArgument, "Unknown type id {}", desc.id);
    }
    DataType type = DataType::of(static_cast<TypeId>(desc.id), desc.nullable);
    const bool is_decimal = type.id == TypeId::kDecimal;
    if (type.id == TypeId::kArray || type.id == TypeId::kMap || type.id == TypeId::kStruct) {
        return Status::error(
            ErrorCode::kNotSupported, "Type {} is not supported", type_name(type.id)
        );
    }
    if (is_decimal && (desc.precision < 1 || desc.precision > 38 || desc.scale < 0 ||
                       desc.scale > desc.precision)) {
        return Status::error(
            ErrorCode::kInvalidArgument, "Invalid type decimal({},{})", desc.precision, desc.scale
        );
    }
    if (!is_decimal && (desc.scale < 0 || desc.scale > 6)) {
        return Status::error(
            ErrorCode::kInvalidArgument,
            "Invalid scale {} of type {}",
            desc.scale,
            type_name(type.id)
        );
    }
    type.precision = is_decimal ? static_cast<uint8_t>(desc.precision) : 0;
    type.scale = static_cast<uint8_t>(desc.scale);
    type.length = desc.length;
    return type;
}

Result<Scalar> from_wire(const wire::Literal& literal, const DataType& type) {
    if (literal.is_null) {
        return Scalar::null(type);
    }
    const Status malformed = Status::error(
        ErrorCode::kInvalidArgument, "Literal of type {} lacks its value", type.to_string()
    );
    switch (type.physical()) {
        case PhysicalType::kString:
            return literal.__isset.bytes_value
                       ? Result<Scalar>(Scalar::text(type, literal.bytes_value))
                       : malformed;
        case PhysicalType::kFloat:
        case PhysicalType::kDouble:
            return literal.__isset.double_value
                       ? Result<Scalar>(Scalar::real(type, literal.double_value))
                       : malformed;
        default:
            break;
    }
    if (literal.__isset.int128_value && literal.int128_value.size() == sizeof(int128_t)) {
        int128_t value;
        std::memcpy(&value, literal.int128_value.data(), sizeof(value));
        return Scalar::integer(type, value);
    }
    return literal.__isset.int_value ? Result<Scalar>(Scalar::integer(type, literal.int_value))
                                     : malformed;
}

}  // namespace thetis
