// SPDX-License-Identifier: Apache-2.0
#include <random>

#include <gtest/gtest.h>

#include "column/testing/columns.h"
#include "expr/expression.h"
#include "expr/predicate_extraction.h"
#include "expr/selection_kernels.h"
#include "expr_types.h"
#include "functions/registries.h"

namespace thetis {

namespace {

using testing::as_dictionary;
using testing::batch;
using testing::bigints;
using testing::booleans;
using testing::ints;
using testing::null;
using testing::rows_of;
using testing::texts;
using Rows = std::vector<std::string>;

const DataType kBoolean = DataType::of(TypeId::kBoolean);
const DataType kInt = DataType::of(TypeId::kInt);
const DataType kString = DataType::of(TypeId::kString);

wire::DataTypeDesc desc(const DataType& type) {
    wire::DataTypeDesc result;
    result.id = static_cast<int32_t>(type.id);
    result.__set_precision(type.precision);
    result.__set_scale(type.scale);
    result.__set_length(type.length);
    result.nullable = type.nullable;
    return result;
}

wire::Expr node(const DataType& type, std::vector<wire::Expr> children = {}) {
    wire::Expr expr;
    expr.type = desc(type);
    expr.__set_children(std::move(children));
    return expr;
}

wire::Expr slot(int position, const DataType& type) {
    wire::Expr expr = node(type);
    wire::SlotRef ref;
    ref.position = position;
    expr.node.__set_slot(ref);
    return expr;
}

wire::Expr integer(int64_t value, const DataType& type = kInt) {
    wire::Expr expr = node(type);
    wire::Literal literal;
    literal.is_null = false;
    literal.__set_int_value(value);
    expr.node.__set_literal(literal);
    return expr;
}

wire::Expr text(std::string value) {
    wire::Expr expr = node(kString);
    wire::Literal literal;
    literal.is_null = false;
    literal.__set_bytes_value(std::move(value));
    expr.node.__set_literal(literal);
    return expr;
}

wire::Expr null_of(const DataType& type) {
    wire::Expr expr = node(type);
    wire::Literal literal;
    literal.is_null = true;
    expr.node.__set_literal(literal);
    return expr;
}

wire::Expr call(std::string name, const DataType& type, std::vector<wire::Expr> children) {
    wire::Expr expr = node(type, std::move(children));
    wire::FunctionCall function;
    function.name = std::move(name);
    expr.node.__set_call(function);
    return expr;
}

wire::Expr connective(bool is_and, std::vector<wire::Expr> children) {
    wire::Expr expr = node(kBoolean, std::move(children));
    wire::Connective value;
    value.is_and = is_and;
    expr.node.__set_connective(value);
    return expr;
}

wire::Expr in_list(std::vector<wire::Expr> children, bool negated = false) {
    wire::Expr expr = node(kBoolean, std::move(children));
    wire::InList value;
    value.negated = negated;
    expr.node.__set_in_list(value);
    return expr;
}

wire::Expr case_when(
    const DataType& type, std::vector<wire::Expr> children, bool has_operand, bool has_else
) {
    wire::Expr expr = node(type, std::move(children));
    wire::CaseWhen value;
    value.has_operand = has_operand;
    value.has_else = has_else;
    expr.node.__set_case_when(value);
    return expr;
}

class ExprTest : public ::testing::Test {
protected:
    ExpressionPtr compiled(const wire::Expr& expr) {
        Result<ExpressionPtr> result = compile(expr, functions_);
        EXPECT_TRUE(result.ok()) << result.status().to_string();
        return result.take();
    }

    Rows evaluated(const wire::Expr& expr, const Batch& rows) {
        Result<ColumnPtr> column = evaluate(*compiled(expr), rows, context_);
        return column.ok() ? rows_of(**column) : Rows{column.status().to_string()};
    }

    Selection filtered(const std::vector<wire::Expr>& conjuncts, Batch rows) {
        const auto compiled_conjuncts = compile_all(conjuncts, functions_);
        EXPECT_TRUE(compiled_conjuncts.ok()) << compiled_conjuncts.status().to_string();
        const Status status = evaluate_filter(*compiled_conjuncts, rows, context_);
        EXPECT_TRUE(status.ok()) << status.to_string();
        Selection passed;
        for (uint32_t i = 0; i < rows.num_selected(); ++i) {
            passed.push_back(static_cast<uint16_t>(rows.row_at(i)));
        }
        return passed;
    }

    FunctionRegistries functions_ = FunctionRegistries::create();
    EvalContext context_;
};

TEST_F(ExprTest, ComputesDiscountedPriceLikeTpch) {
    const DataType price = DataType::decimal(15, 2);
    const DataType factor = DataType::decimal(16, 2);
    const Batch rows = batch(
        {testing::parsed(price, {"901.00", "33203.72", null}),
         testing::parsed(price, {"0.05", "0.10", "0.00"}),
         testing::parsed(price, {"0.08", "0.00", "0.01"})}
    );
    const wire::Expr one_minus = call("subtract", factor, {integer(100, factor), slot(1, factor)});
    const wire::Expr discounted =
        call("multiply", DataType::decimal(31, 4), {slot(0, price), one_minus});
    EXPECT_EQ(evaluated(discounted, rows), (Rows{"855.9500", "29883.3480", "NULL"}));
    const DataType wide = DataType::decimal(38, 6);
    wire::Expr one_plus = call("add", factor, {integer(100, factor), slot(2, factor)});
    wire::Expr widened = node(DataType::decimal(38, 2), {one_plus});
    widened.node.__set_cast(wire::Cast());
    EXPECT_EQ(
        evaluated(call("multiply", wide, {discounted, widened}), rows),
        (Rows{"924.426000", "29883.348000", "NULL"})
    );
}

TEST_F(ExprTest, ThreeValuedLogic) {
    const Batch rows = batch(
        {booleans({1, 1, 1, 0, 0, 0, null, null, null}),
         booleans({1, 0, null, 1, 0, null, 1, 0, null})}
    );
    const std::vector<wire::Expr> both{slot(0, kBoolean), slot(1, kBoolean)};
    EXPECT_EQ(
        evaluated(connective(true, both), rows),
        (Rows{"1", "0", "NULL", "0", "0", "0", "NULL", "0", "NULL"})
    );
    EXPECT_EQ(
        evaluated(connective(false, both), rows),
        (Rows{"1", "1", "1", "1", "0", "NULL", "1", "NULL", "NULL"})
    );
    EXPECT_EQ(
        evaluated(call("not", kBoolean, {slot(1, kBoolean)}), rows),
        (Rows{"0", "1", "NULL", "0", "1", "NULL", "0", "1", "NULL"})
    );
}

TEST_F(ExprTest, InListWithNulls) {
    const Batch rows = batch({ints({1, 2, null})});
    const wire::Expr value = slot(0, kInt);
    EXPECT_EQ(evaluated(in_list({value, integer(1), integer(5)}), rows), (Rows{"1", "0", "NULL"}));
    EXPECT_EQ(
        evaluated(in_list({value, integer(1), null_of(kInt)}), rows), (Rows{"1", "NULL", "NULL"})
    );
    EXPECT_EQ(
        evaluated(in_list({value, integer(1), null_of(kInt)}, true), rows),
        (Rows{"0", "NULL", "NULL"})
    );
    std::vector<wire::Expr> many{value};
    for (int i = 2; i < 50; ++i) {
        many.push_back(integer(i));
    }
    EXPECT_EQ(evaluated(in_list(many), rows), (Rows{"0", "1", "NULL"}));
}

TEST_F(ExprTest, InListOverTexts) {
    const std::string longer = "longer than twelve bytes";
    const ColumnPtr flat = texts({"MAIL", longer, null, "SHIP"});
    for (const ColumnPtr& column : {flat, as_dictionary(flat)}) {
        EXPECT_EQ(
            evaluated(in_list({slot(0, kString), text("MAIL"), text(longer)}), batch({column})),
            (Rows{"1", "1", "NULL", "0"})
        );
    }
}

TEST_F(ExprTest, CaseTakesTheFirstTrueBranch) {
    const Batch rows = batch({ints({1, 2, 3, null})});
    const wire::Expr value = slot(0, kInt);
    EXPECT_EQ(
        evaluated(
            case_when(
                kString,
                {value, integer(1), text("one"), integer(2), text("two"), text("many")},
                true,
                true
            ),
            rows
        ),
        (Rows{"one", "two", "many", "many"})
    );
    EXPECT_EQ(
        evaluated(
            case_when(
                kInt,
                {call("gt", kBoolean, {value, integer(1)}), call("add", kInt, {value, integer(10)})
                },
                false,
                false
            ),
            rows
        ),
        (Rows{"NULL", "12", "13", "NULL"})
    );
}

TEST_F(ExprTest, RowsThatAreNotSelectedDoNotFail) {
    const DataType wide = DataType::decimal(38, 0);
    Batch rows = batch({testing::parsed(wide, {"99999999999999999999999999999999999999", "1"})});
    const wire::Expr sum = call("add", wide, {slot(0, wide), slot(0, wide)});
    EXPECT_NE(evaluated(sum, rows)[0].find("Arithmetic overflow"), std::string::npos);
    rows.selection = std::make_shared<const Selection>(Selection{1});
    EXPECT_EQ(evaluated(sum, rows)[1], "2");
    const wire::Expr guarded = case_when(
        wide, {call("lt", kBoolean, {slot(0, wide), integer(5, wide)}), sum}, false, false
    );
    rows.selection = nullptr;
    EXPECT_EQ(evaluated(guarded, rows), (Rows{"NULL", "2"}));
}

TEST_F(ExprTest, FiltersNarrowTheSelection) {
    const ColumnPtr names = texts({"apple", "banana", "apple", null, "cherry"});
    for (const ColumnPtr& column : {names, as_dictionary(names)}) {
        const Batch rows = batch({ints({5, 3, 8, 9, null}), column});
        const wire::Expr number = slot(0, kInt);
        const wire::Expr name = slot(1, kString);
        EXPECT_EQ(
            filtered({call("gt", kBoolean, {number, integer(3)})}, rows), (Selection{0, 2, 3})
        );
        EXPECT_EQ(filtered({call("gt", kBoolean, {integer(6), number})}, rows), (Selection{0, 1}));
        EXPECT_EQ(
            filtered(
                {call("eq", kBoolean, {name, text("apple")}),
                 call("le", kBoolean, {number, integer(5)})},
                rows
            ),
            (Selection{0})
        );
        EXPECT_EQ(filtered({call("like", kBoolean, {name, text("%an%")})}, rows), (Selection{1}));
        EXPECT_EQ(filtered({call("is_null", kBoolean, {name})}, rows), (Selection{3}));
        EXPECT_EQ(filtered({call("ne", kBoolean, {name, text("apple")})}, rows), (Selection{1, 4}));
        EXPECT_EQ(
            filtered(
                {connective(
                    false,
                    {call("eq", kBoolean, {name, text("cherry")}),
                     call("eq", kBoolean, {number, integer(3)})}
                )},
                rows
            ),
            (Selection{1, 4})
        );
        EXPECT_EQ(filtered({call("eq", kBoolean, {number, null_of(kInt)})}, rows), (Selection{}));
        EXPECT_EQ(
            filtered({in_list({name, text("apple"), null_of(kString)}, true)}, rows), (Selection{})
        );
    }
}

TEST_F(ExprTest, ProjectKeepsOrCompacts) {
    Batch rows = batch({ints({1, 2, 3, 4, 5}), texts({"a", "b", "c", "d", "e"})});
    rows.selection = std::make_shared<const Selection>(Selection{4});
    const std::vector<ExpressionPtr> expressions{
        compiled(call("add", kInt, {slot(0, kInt), integer(1)})), compiled(slot(1, kString))
    };
    const Result<Batch> projected = project(expressions, rows, context_);
    ASSERT_TRUE(projected.ok());
    EXPECT_EQ(rows_of(*projected->compact().columns[0]), (Rows{"6"}));
    EXPECT_EQ(rows_of(*projected->compact().columns[1]), (Rows{"e"}));
}

TEST_F(ExprTest, RefusesMalformedPlans) {
    EXPECT_EQ(
        compile(call("no_such_function", kInt, {}), functions_).status().code(),
        ErrorCode::kNotSupported
    );
    EXPECT_EQ(
        compile(call("add", kInt, {integer(1)}), functions_).status().code(),
        ErrorCode::kNotSupported
    );
    EXPECT_FALSE(compile(case_when(kInt, {integer(1)}, false, false), functions_).ok());
    EXPECT_FALSE(compile(connective(true, {integer(1)}), functions_).ok());
    EXPECT_FALSE(evaluate(*compiled(slot(3, kInt)), batch({ints({1})}), context_).ok());
    EXPECT_FALSE(evaluate(*compiled(slot(0, kInt)), batch({texts({"x"})}), context_).ok());
}

TEST_F(ExprTest, ExtractsWhatScansCanUse) {
    const wire::Expr number = slot(0, kInt);
    const wire::Expr name = slot(1, kString);
    const auto conjuncts = compile_all(
        {call("lt", kBoolean, {integer(3), number}),
         call("like", kBoolean, {name, text("ab%c")}),
         connective(
             false, {call("eq", kBoolean, {number, integer(1)}), in_list({number, integer(2)})}
         ),
         call("is_not_null", kBoolean, {name}),
         call("eq", kBoolean, {number, null_of(kInt)}),
         connective(
             true,
             {call("ge", kBoolean, {number, integer(7)}), call("lt", kBoolean, {number, number})}
         )},
        functions_
    );
    ASSERT_TRUE(conjuncts.ok());
    const auto found = extract_predicates(*conjuncts);
    ASSERT_EQ(found.size(), 5U);
    EXPECT_EQ(found[0].op, PredicateOp::kGt);
    EXPECT_EQ(found[0].operands[0].as_integer(), 3);
    EXPECT_EQ(found[1].op, PredicateOp::kPrefix);
    EXPECT_EQ(found[1].operands[0].as_text(), "ab");
    EXPECT_FALSE(found[1].is_exact);
    EXPECT_EQ(found[2].op, PredicateOp::kIn);
    EXPECT_EQ(found[2].operands.size(), 2U);
    EXPECT_EQ(found[3].op, PredicateOp::kIsNotNull);
    EXPECT_EQ(found[4].op, PredicateOp::kGe);
    EXPECT_EQ(found[4].conjunct, 5U);
    EXPECT_FALSE(found[4].is_exact);
}

template <typename T>
void check_selection_kernels(std::mt19937& random) {
    for (uint32_t num_rows : {0U, 1U, 7U, 8U, 63U, 64U, 100U, 4096U}) {
        std::vector<T> values(num_rows + 16);
        auto valid = validity::all_valid(std::max(num_rows, 1U));
        for (uint32_t i = 0; i < num_rows; ++i) {
            values[i] = static_cast<T>(static_cast<int>(random() % 5) - 2);
            if (random() % 4 == 0) {
                validity::set_null(valid->as<uint64_t>(), i);
            }
        }
        const std::pair<PredicateOp, bool (*)(T, T)> operations[] = {
            {PredicateOp::kEq, [](T a, T b) { return a == b; }},
            {PredicateOp::kNe, [](T a, T b) { return a != b; }},
            {PredicateOp::kLt, [](T a, T b) { return a < b; }},
            {PredicateOp::kLe, [](T a, T b) { return a <= b; }},
            {PredicateOp::kGt, [](T a, T b) { return a > b; }},
            {PredicateOp::kGe, [](T a, T b) { return a >= b; }},
        };
        for (const auto& [op, reference] : operations) {
            for (const uint64_t* words :
                 {static_cast<const uint64_t*>(nullptr),
                  static_cast<const uint64_t*>(valid->as<uint64_t>())}) {
                std::vector<uint16_t> expected;
                std::vector<uint16_t> every_second;
                std::vector<uint16_t> expected_some;
                const T constant = 1;
                for (uint32_t i = 0; i < num_rows; ++i) {
                    const bool passes =
                        reference(values[i], constant) && validity::is_valid(words, i);
                    if (passes) {
                        expected.push_back(static_cast<uint16_t>(i));
                    }
                    if (i % 2 == 0) {
                        every_second.push_back(static_cast<uint16_t>(i));
                        if (passes) {
                            expected_some.push_back(static_cast<uint16_t>(i));
                        }
                    }
                }
                std::vector<uint16_t> actual(num_rows + 16);
                actual.resize(
                    select_all<T>(values.data(), words, num_rows, op, constant, actual.data())
                );
                EXPECT_EQ(actual, expected);
                actual = every_second;
                actual.resize(actual.size() + 16);
                actual.resize(select_some<T>(
                    values.data(),
                    words,
                    actual.data(),
                    static_cast<uint32_t>(every_second.size()),
                    op,
                    constant,
                    actual.data()
                ));
                EXPECT_EQ(actual, expected_some);
            }
        }
    }
}

TEST(SelectionKernels, EqualTheScalarReference) {
    std::mt19937 random(7);
    check_selection_kernels<int8_t>(random);
    check_selection_kernels<int16_t>(random);
    check_selection_kernels<int32_t>(random);
    check_selection_kernels<int64_t>(random);
    check_selection_kernels<int128_t>(random);
    check_selection_kernels<float>(random);
    check_selection_kernels<double>(random);
}

}  // namespace

}  // namespace thetis
