// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.parser;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.thetis.sql.ast.Expression;
import org.thetis.sql.ast.GroupBy;
import org.thetis.sql.ast.Hint;
import org.thetis.sql.ast.JoinKind;
import org.thetis.sql.ast.LogicalOperator;
import org.thetis.sql.ast.Query;
import org.thetis.sql.ast.QueryBody;
import org.thetis.sql.ast.QueryStatement;
import org.thetis.sql.ast.Relation;
import org.thetis.sql.ast.SelectItem;
import org.thetis.sql.ast.SetOperator;
import org.thetis.sql.ast.TypeName;
import org.thetis.sql.ast.VariableScope;
import org.thetis.sql.ast.ddl.AlterTable;
import org.thetis.sql.ast.ddl.AlterTableClause;
import org.thetis.sql.ast.ddl.CreateTable;
import org.thetis.sql.ast.ddl.CreateView;
import org.thetis.sql.ast.ddl.DefaultValue;
import org.thetis.sql.ast.ddl.KeyClause;
import org.thetis.sql.ast.ddl.PartitionDefinition;
import org.thetis.sql.ast.dml.Insert;
import org.thetis.sql.ast.privilege.Grant;
import org.thetis.sql.ast.session.Explain;
import org.thetis.sql.ast.session.SetItem;
import org.thetis.sql.ast.session.SetStatement;
import org.thetis.sql.ast.show.ShowTables;

/** The trees say what the text said. */
class TreeTest {
    private final SqlParser parser = new SqlParser();

    @Test
    void precedence() {
        assertThat(print("1 + 2 * 3")).isEqualTo("(1 ADD (2 MULTIPLY 3))");
        assertThat(print("1 - 2 - 3")).isEqualTo("((1 SUBTRACT 2) SUBTRACT 3)");
        assertThat(print("a | b + c & d")).isEqualTo("(((a BIT_OR b) ADD c) BIT_AND d)");
        assertThat(print("-a * b")).isEqualTo("((NEGATE a) MULTIPLY b)");
        assertThat(print("a = b + 1")).isEqualTo("(a EQUAL (b ADD 1))");
        assertThat(print("not a = b and c or d")).isEqualTo("(((NOT (a EQUAL b)) AND c) OR d)");
        assertThat(print("a or b and c xor d")).isEqualTo("(a OR ((b AND c) XOR d))");
        assertThat(print("a and b and c")).isEqualTo("(a AND b AND c)");
        assertThat(print("(a and b) and c")).isEqualTo("((a AND b) AND c)");
        assertThat(print("a between 1 and 2 and b")).isEqualTo("((a BETWEEN 1 2) AND b)");
        assertThat(print("a div b mod c")).isEqualTo("((a INTEGER_DIVIDE b) MODULO c)");
        assertThat(print("a || b")).isEqualTo("(a OR b)");
        assertThat(print(parser.parseExpression("a || b = c", new ParserOptions(true, false))))
                .isEqualTo("(concat(a, b) EQUAL c)");
    }

    @Test
    void callsWithASyntaxOfTheirOwn() {
        assertThat(print("extract(year from d)")).isEqualTo("year(d)");
        assertThat(print("timestampdiff(day, a, b)")).isEqualTo("days_diff(b, a)");
        assertThat(print("trim(leading 'x' from a)")).isEqualTo("ltrim(a, 'x')");
        assertThat(print("convert(a using gbk)")).isEqualTo("convert_to(a, 'gbk')");
        assertThat(print("current_date")).isEqualTo("current_date()");
        assertThat(print("`current_date`")).isEqualTo("current_date");
        assertThat(print("a.b.c.d")).isEqualTo("a.b.c.d");
        assertThat(print("t.1d")).isEqualTo("t.1d");
        assertThat(print("group_concat(a separator ';')")).isEqualTo("group_concat(a, ';')");
        assertThat(print("(a)")).isEqualTo("a");
    }

    @Test
    void selectItemsKeepTheirText() {
        QueryBody.Select select = select("select a +  1, count( * ) n, 'x', '\ud83d\ude00' || b from t");
        assertThat(select.items().stream().map(item -> ((SelectItem.Single) item).text()))
                .containsExactly("a +  1", "count( * )", "'x'", "'\ud83d\ude00' || b");
        assertThat(((SelectItem.Single) select.items().get(1)).alias()).isEqualTo("n");
    }

    @Test
    void starWithExceptAndReplace() {
        SelectItem.All all = (SelectItem.All) select("select d.t.* except (a, b) replace (c + 1 as c) from t")
                .items()
                .get(0);
        assertThat(all.qualifier()).containsExactly("d", "t");
        assertThat(all.except()).containsExactly("a", "b");
        assertThat(all.replace().get(0).alias()).isEqualTo("c");
    }

    @Test
    void joinsNestToTheLeft() {
        Relation.Join outer = (Relation.Join)
                Objects.requireNonNull(select("select 1 from a left join b on a.x = b.x, c join [shuffle] d using (y)")
                        .from());
        assertThat(outer.kind()).isEqualTo(JoinKind.CROSS);
        assertThat(((Relation.Join) outer.left()).kind()).isEqualTo(JoinKind.LEFT_OUTER);
        Relation.Join right = (Relation.Join) outer.right();
        assertThat(right.using()).containsExactly("y");
        assertThat(right.distribution()).isEqualTo("SHUFFLE");
    }

    @Test
    void tableNamesKeepWhatFollows() {
        Relation.Table table = (Relation.Table) Objects.requireNonNull(
                select("select 1 from c.d.t partition (p1, p2) tablet (7) as x tablesample (5 percent) repeatable 3")
                        .from());
        assertThat(table.name().parts()).containsExactly("c", "d", "t");
        assertThat(Objects.requireNonNull(table.partitions()).names()).containsExactly("p1", "p2");
        assertThat(table.tabletIds()).containsExactly(7L);
        assertThat(table.alias()).isEqualTo("x");
        assertThat(Objects.requireNonNull(table.sample()).seed()).isEqualTo(3L);
    }

    @Test
    void intersectBindsTighterThanUnion() {
        QueryBody.SetOperation union =
                (QueryBody.SetOperation) query("select 1 union select 2 intersect select 3 union all select 4")
                        .body();
        assertThat(union.operator()).isEqualTo(SetOperator.UNION);
        assertThat(union.all()).isTrue();
        QueryBody.SetOperation left = (QueryBody.SetOperation) union.left();
        assertThat(((QueryBody.SetOperation) left.right()).operator()).isEqualTo(SetOperator.INTERSECT);
    }

    @Test
    void hints() {
        List<Hint> hints = select("select /*+ set_var(a = 1, `b` = 'x') LEADING(t1 {t2 t3}) foo */ 1")
                .hints();
        assertThat(hints.stream().map(Hint::name)).containsExactly("set_var", "LEADING", "foo");
        assertThat(hints.get(0).settings()).containsEntry("a", "1").containsEntry("b", "x");
        assertThat(hints.get(1).arguments()).isEqualTo("t1 {t2 t3}");
        assertThat(select("select 1 /*+ not a hint */").hints()).isEmpty();
    }

    @Test
    void groupingSets() {
        GroupBy.GroupingSets sets = (GroupBy.GroupingSets) Objects.requireNonNull(
                select("select 1 from t group by grouping sets ((a, b), a, ())").groupBy());
        assertThat(sets.sets().stream().map(List::size)).containsExactly(2, 1, 0);
    }

    @Test
    void parametersCountInTextOrder() {
        ParsedStatement parsed = parser.parseOne("select ? from t where a = ? limit ?, ?", ParserOptions.DEFAULT);
        assertThat(parsed.parameterCount()).isEqualTo(4);
        Query query = ((QueryStatement) parsed.statement()).query();
        assertThat(((Expression.Parameter) Objects.requireNonNull(
                                Objects.requireNonNull(query.limit()).offset()))
                        .ordinal())
                .isEqualTo(2);
        assertThat(((Expression.Parameter) Objects.requireNonNull(query.limit().count())).ordinal())
                .isEqualTo(3);
    }

    @Test
    void statementsAreSplitWithTheirText() {
        List<ParsedStatement> parsed = parser.parseAll(
                " ;; select 1 ; -- x\n insert into t values (';') ;\n/* only */ ; select '\ud83d\ude00', ?",
                ParserOptions.DEFAULT);
        assertThat(parsed.stream().map(ParsedStatement::text))
                .containsExactly("select 1", "insert into t values (';')", "select '\ud83d\ude00', ?");
        assertThat(parsed.get(2).parameterCount()).isEqualTo(1);
        assertThat(parser.parseAll("/*!40101 SET NAMES utf8 */;", ParserOptions.DEFAULT))
                .isEmpty();
    }

    @Test
    void createTableOfMySql() {
        CreateTable table = (CreateTable) parser.parse(
                "create table t (id bigint unsigned not null auto_increment, n varchar(20) default 'x', primary key"
                        + " (id), key k (n)) engine=InnoDB default charset=utf8 comment='c'");
        assertThat(Objects.requireNonNull(table.key()).kind()).isEqualTo(KeyClause.Kind.PRIMARY);
        assertThat(table.key().columns()).containsExactly("id");
        assertThat(table.ignored()).hasSize(2);
        assertThat(table.engine()).isEqualTo("InnoDB");
        assertThat(table.comment()).isEqualTo("c");
        assertThat(Objects.requireNonNull(table.columns().get(0).type()).name()).isEqualTo("LARGEINT");
        assertThat(table.columns().get(0).nullable()).isFalse();
        assertThat(table.columns().get(0).autoIncrement()).isEqualTo(1L);
        assertThat(table.columns().get(1).defaultValue())
                .extracting(DefaultValue::kind, DefaultValue::text)
                .containsExactly(DefaultValue.Kind.LITERAL, "x");
    }

    @Test
    void partitions() {
        CreateTable table =
                (CreateTable) parser.parse("create table t (a date, b int) unique key (a) partition by range (a)"
                        + " (partition p1 values less than ('2020-01-01'), partition p2 values [('2020-01-01'),"
                        + " (maxvalue)), from ('2021-01-01') to ('2022-01-01') interval 1 month) distributed by hash (a)"
                        + " buckets 3");
        List<PartitionDefinition> partitions =
                Objects.requireNonNull(table.partitioning()).partitions();
        assertThat(partitions.get(0)).isInstanceOf(PartitionDefinition.LessThan.class);
        assertThat(((PartitionDefinition.FixedRange) partitions.get(1))
                        .high()
                        .get(0)
                        .value())
                .isNull();
        assertThat(((PartitionDefinition.Batch) partitions.get(2)).unit()).isEqualTo("MONTH");
        assertThat(Objects.requireNonNull(table.distribution()).buckets()).isEqualTo(3);
    }

    @Test
    void types() {
        TypeName type = parser.parseType("map<string, array<decimal(10, 2)>>");
        assertThat(type.name()).isEqualTo("MAP");
        assertThat(type.children().get(1).children().get(0).parameters()).containsExactly("10", "2");
        assertThat(parser.parseType("struct<a:int,b:varchar(*)>").fieldNames()).containsExactly("a", "b");
        assertThat(parser.parseType("agg_state<max_by(int not null, int)>").children())
                .hasSize(2);
    }

    @Test
    void writesAndSession() {
        Insert insert = (Insert) parser.parse("insert into d.t partition (p) with label l (a) values (default)");
        assertThat(insert.label()).isEqualTo("l");
        assertThat(insert.columns()).containsExactly("a");
        SetStatement set = (SetStatement) parser.parse("set global a = on, @@session.b = default, names utf8");
        assertThat(((SetItem.Variable) set.items().get(0)).scope()).isEqualTo(VariableScope.GLOBAL);
        assertThat(((SetItem.Variable) set.items().get(1)).value()).isNull();
        assertThat(set.items().get(2)).isInstanceOf(SetItem.Names.class);
        Explain explain = (Explain) parser.parse("explain physical plan select 1");
        assertThat(explain.stage()).isEqualTo("PHYSICAL");
    }

    @Test
    void othersKeepTheirParts() {
        CreateView view = (CreateView) parser.parse("create view v as select  a from t;");
        assertThat(view.queryText()).isEqualTo("select  a from t");
        AlterTable alter = (AlterTable) parser.parse("alter table t drop partition p1 force, rename column a b");
        assertThat(((AlterTableClause.DropPartition) alter.clauses().get(0)).force())
                .isTrue();
        ShowTables tables = (ShowTables) parser.parse("show full tables from d like 'x%'");
        assertThat(tables.full()).isTrue();
        assertThat(tables.filter().like()).isEqualTo("x%");
        Grant grant = (Grant) parser.parse("grant select_priv on workload group 'g' to 'u'@'h'");
        assertThat(grant.scope().kind()).isEqualTo("WORKLOAD GROUP");
        assertThat(Objects.requireNonNull(grant.user()).host()).isEqualTo("h");
    }

    private QueryBody.Select select(String sql) {
        return (QueryBody.Select) query(sql).body();
    }

    private Query query(String sql) {
        return ((QueryStatement) parser.parse(sql)).query();
    }

    private String print(String text) {
        return print(parser.parseExpression(text));
    }

    private static String print(Expression expression) {
        if (expression instanceof Expression.IntegerLiteral literal) {
            return literal.value().toString();
        }
        if (expression instanceof Expression.StringLiteral literal) {
            return "'" + literal.value() + "'";
        }
        if (expression instanceof Expression.ColumnReference column) {
            return String.join(".", column.parts());
        }
        if (expression instanceof Expression.Arithmetic binary) {
            return "(" + print(binary.left()) + " " + binary.operator() + " " + print(binary.right()) + ")";
        }
        if (expression instanceof Expression.Comparison comparison) {
            return "(" + print(comparison.left()) + " " + comparison.operator() + " " + print(comparison.right()) + ")";
        }
        if (expression instanceof Expression.Unary unary) {
            return "(" + unary.operator() + " " + print(unary.operand()) + ")";
        }
        if (expression instanceof Expression.Not not) {
            return "(NOT " + print(not.operand()) + ")";
        }
        if (expression instanceof Expression.Between between) {
            return "(" + print(between.value()) + " BETWEEN " + print(between.low()) + " " + print(between.high())
                    + ")";
        }
        if (expression instanceof Expression.Logical logical) {
            LogicalOperator operator = logical.operator();
            return "("
                    + String.join(
                            " " + operator + " ",
                            logical.operands().stream().map(TreeTest::print).toList()) + ")";
        }
        Expression.FunctionCall call = (Expression.FunctionCall) expression;
        return call.name().get(0) + "("
                + String.join(
                        ", ", call.arguments().stream().map(TreeTest::print).toList()) + ")";
    }
}
