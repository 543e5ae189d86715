// SPDX-License-Identifier: Apache-2.0
#include "base/hash.h"
#include "expr/nodes.h"

namespace thetis {

/// Asked once per batch; fills 1 for rows whose value is in the list.
class InExpression::Lookup {
public:
    virtual ~Lookup() = default;
    virtual void find(const Column& column, uint8_t* found) const = 0;
};

namespace {

/// Compares with each of a few values; the compiler vectorises the inner loop.
template <typename T>
class FewValues final : public InExpression::Lookup {
public:
    explicit FewValues(std::vector<T> values) : values_(std::move(values)) {}

    void find(const Column& column, uint8_t* found) const override {
        const T* rows = column.values<T>();
        std::memset(found, 0, column.size());
        for (const T& value : values_) {
            for (uint32_t i = 0; i < column.size(); ++i) {
                found[i] |= rows[i] == value ? 1 : 0;
            }
        }
    }

private:
    std::vector<T> values_;
};

template <typename T>
uint64_t hash_of(const T& value) {
    if constexpr (std::is_same_v<T, StringRef>) {
        return hash_bytes(value.data(), value.size());
    } else if constexpr (std::is_same_v<T, int128_t>) {
        return hash_combine(
            hash_int(static_cast<uint64_t>(value)), static_cast<uint64_t>(value >> 64)
        );
    } else if constexpr (std::is_floating_point_v<T>) {
        return hash_int(std::bit_cast<uint64_t>(value == 0 ? 0.0 : static_cast<double>(value)));
    } else {
        return hash_int(static_cast<uint64_t>(value));
    }
}

/// Open addressing at a quarter full.
template <typename T>
class HashedValues final : public InExpression::Lookup {
public:
    explicit HashedValues(const std::vector<T>& values) {
        size_t capacity = 16;
        while (capacity < values.size() * 4) {
            capacity *= 2;
        }
        slots_.resize(capacity);
        used_.resize(capacity, 0);
        mask_ = capacity - 1;
        for (const T& value : values) {
            size_t slot = hash_of(value) & mask_;
            while (used_[slot] != 0 && !(slots_[slot] == value)) {
                slot = (slot + 1) & mask_;
            }
            slots_[slot] = value;
            used_[slot] = 1;
        }
    }

    void find(const Column& column, uint8_t* found) const override {
        const T* rows = column.values<T>();
        for (uint32_t i = 0; i < column.size(); ++i) {
            size_t slot = hash_of(rows[i]) & mask_;
            while (used_[slot] != 0 && !(slots_[slot] == rows[i])) {
                slot = (slot + 1) & mask_;
            }
            found[i] = used_[slot];
        }
    }

private:
    std::vector<T> slots_;
    std::vector<uint8_t> used_;
    size_t mask_;
};

std::unique_ptr<const InExpression::Lookup> make_lookup(
    PhysicalType physical, const std::vector<Scalar>& list
) {
    return visit_physical(physical, [&](auto tag) -> std::unique_ptr<const InExpression::Lookup> {
        using T = decltype(tag);
        std::vector<T> values;
        for (const Scalar& value : list) {
            values.push_back(value.get<T>());
        }
        if (values.size() <= 8) {
            return std::make_unique<FewValues<T>>(std::move(values));
        }
        return std::make_unique<HashedValues<T>>(values);
    });
}

}  // namespace

InExpression::InExpression(
    DataType type,
    std::vector<ExpressionPtr> children,
    bool negated,
    bool has_null,
    std::vector<Scalar> list
)
    : Expression(ExpressionKind::kIn, type, std::move(children)),
      negated_(negated),
      has_null_(has_null),
      list_(std::move(list)),
      lookup_(make_lookup(this->children()[0]->type().physical(), list_)) {}

InExpression::~InExpression() = default;

Result<ExpressionPtr> InExpression::create(
    DataType type, std::vector<ExpressionPtr> children, bool negated
) {
    bool has_null = false;
    std::vector<Scalar> list;
    EvalContext context;
    for (size_t i = 1; i < children.size(); ++i) {
        ASSIGN_OR_RETURN(Scalar value, evaluate_constant(*children[i], context));
        if (value.is_null()) {
            has_null = true;
        } else if (children[i]->type().physical() != children[0]->type().physical()) {
            return Status::error(
                ErrorCode::kInvalidArgument,
                "IN compares {} with {}",
                children[0]->type().to_string(),
                children[i]->type().to_string()
            );
        } else {
            list.push_back(std::move(value));
        }
    }
    return ExpressionPtr(
        new InExpression(type, std::move(children), negated, has_null, std::move(list))
    );
}

std::string InExpression::to_string() const {
    return print_call(negated_ ? "not_in" : "in", children());
}

Result<ColumnPtr> InExpression::evaluate_all(const Batch& batch, EvalContext& context) const {
    ASSIGN_OR_RETURN(const ColumnPtr value, children()[0]->evaluate_all(batch, context));
    // Ask on the distinct values where the form has them apart.
    const bool is_dictionary =
        value->form() == ColumnForm::kDictionary && value->base()->size() <= value->size();
    const bool is_constant = value->form() == ColumnForm::kConstant;
    const ColumnPtr asked = is_dictionary || is_constant ? value->base() : value->flatten(value);
    auto found = Buffer::allocate(asked->size());
    lookup_->find(*asked, found->as<uint8_t>());

    auto out = Buffer::allocate(batch.num_rows);
    auto* result = out->as<uint8_t>();
    const auto* answers = found->as<uint8_t>();
    for (uint32_t i = 0; i < batch.num_rows; ++i) {
        result[i] = answers[is_constant ? 0 : (is_dictionary ? value->codes()[i] : i)];
    }
    BufferPtr valid = value->may_have_nulls() ? value->flatten(value)->valid_buffer() : nullptr;
    if (has_null_) {  // Not found among the others means unknown.
        auto known = valid == nullptr ? validity::all_valid(batch.num_rows)
                                      : Buffer::copy_of(valid->data(), valid->size());
        for (uint32_t i = 0; i < batch.num_rows; ++i) {
            if (result[i] == 0) {
                validity::set_null(known->as<uint64_t>(), i);
            }
        }
        valid = std::move(known);
    }
    if (negated_) {
        for (uint32_t i = 0; i < batch.num_rows; ++i) {
            result[i] ^= 1;
        }
    }
    return Column::flat(type(), batch.num_rows, std::move(out), std::move(valid));
}

}  // namespace thetis
