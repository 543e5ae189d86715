// SPDX-License-Identifier: Apache-2.0
// Queries and relations.
parser grammar QueryParser;

// WITH may stand before a query and before a statement that writes; one rule keeps that decision out of prediction.
queryOrWrite
    : withClause? (bareQuery lockingClause? outfileClause? | insertStatement | updateStatement | deleteStatement)
    ;

query
    : withClause? bareQuery
    ;

bareQuery
    : queryTerm orderByClause? limitClause?
    ;

withClause
    : WITH RECURSIVE? namedQuery (COMMA namedQuery)*
    ;

namedQuery
    : identifier identifierList? AS LEFT_PAREN query RIGHT_PAREN
    ;

// Row locks of other systems: parsed, so that the answer names them.
lockingClause
    : FOR (UPDATE | SHARE)
    | LOCK IN SHARE MODE
    ;

// INTERSECT binds tighter than the other set operators.
queryTerm
    : intersectTerm (setOperator intersectTerm)*
    ;

setOperator
    : (UNION | EXCEPT | MINUS_KEYWORD) (ALL | DISTINCT)?
    ;

intersectTerm
    : queryPrimary (intersectOperator queryPrimary)*
    ;

intersectOperator
    : INTERSECT (ALL | DISTINCT)?
    ;

queryPrimary
    : selectClause                                                   # selectQuery
    | LEFT_PAREN query RIGHT_PAREN                                   # nestedQuery
    | VALUES valuesRow (COMMA valuesRow)*                            # valuesQuery
    ;

valuesRow
    : ROW? LEFT_PAREN (listItem (COMMA listItem)*)? RIGHT_PAREN
    ;

orderByClause
    : ORDER BY sortItem (COMMA sortItem)*
    ;

limitClause
    : LIMIT count=limitValue (OFFSET offset=limitValue)?
    | LIMIT offset=limitValue COMMA count=limitValue
    | (OFFSET offset=limitValue (ROW | ROWS))? FETCH (FIRST | NEXT) count=limitValue? (ROW | ROWS) ONLY
    ;

limitValue
    : INTEGER_LITERAL | QUESTION_MARK | ALL
    ;

outfileClause
    : INTO OUTFILE STRING_LITERAL (FORMAT AS identifierOrText)? propertyClause?
    | INTO DUMPFILE STRING_LITERAL
    | INTO AT identifierOrText (COMMA AT identifierOrText)*
    ;

selectClause
    : SELECT selectModifier* selectItem (COMMA selectItem)*
      (FROM relations)?
      (WHERE where=expression)?
      (GROUP BY groupBy)?
      (HAVING having=expression)?
      windowClause?
      (QUALIFY qualify=expression)?
    ;

selectModifier
    : DISTINCT | DISTINCTROW | ALL | STRAIGHT_JOIN | SQL_NO_CACHE | SQL_CACHE | SQL_CALC_FOUND_ROWS | SQL_SMALL_RESULT
    | SQL_BIG_RESULT | SQL_BUFFER_RESULT | HIGH_PRIORITY
    ;

windowClause
    : WINDOW namedWindow (COMMA namedWindow)*
    ;

namedWindow
    : identifier AS windowSpecification
    ;

selectItem
    : (identifier DOT)* STAR (EXCEPT LEFT_PAREN identifier (COMMA identifier)* RIGHT_PAREN)?
        (REPLACE LEFT_PAREN replaceItem (COMMA replaceItem)* RIGHT_PAREN)? # allItem
    | expression (AS? identifierOrText)?                             # singleItem
    ;

replaceItem
    : expression AS? identifier
    ;

groupBy
    : groupElement (COMMA groupElement)* (WITH (ROLLUP | CUBE))?
    ;

groupElement
    : ROLLUP LEFT_PAREN groupingSet (COMMA groupingSet)* RIGHT_PAREN # rollupGroup
    | CUBE LEFT_PAREN groupingSet (COMMA groupingSet)* RIGHT_PAREN   # cubeGroup
    | GROUPING SETS LEFT_PAREN groupingSet (COMMA groupingSet)* RIGHT_PAREN # groupingSetsGroup
    | LEFT_PAREN RIGHT_PAREN                                         # emptyGroup
    | expression                                                     # plainGroup
    ;

groupingSet
    : LEFT_PAREN (expression (COMMA expression)*)? RIGHT_PAREN
    | expression
    ;

// Relations

relations
    : relation (COMMA relation)*
    ;

relation
    : relationPrimary joinPart*
    ;

// Conditions beyond the first belong to the joins before that have none: a JOIN b JOIN c ON x ON y.
joinPart
    : (joinKind JOIN joinDistribution? | STRAIGHT_JOIN) relationPrimary joinCondition*
    ;

joinCondition
    : ON expression
    | USING identifierList
    ;

joinKind
    : INNER?
    | CROSS
    | LEFT OUTER?
    | RIGHT OUTER?
    | FULL OUTER?
    | LEFT SEMI
    | RIGHT SEMI
    | LEFT ANTI
    | RIGHT ANTI
    | NULL AWARE LEFT ANTI
    | NATURAL (INNER | (LEFT | RIGHT | FULL) OUTER?)?
    ;

joinDistribution
    : LEFT_BRACKET identifier RIGHT_BRACKET
    ;

relationPrimary
    : qualifiedName scanParameters? (INDEX identifier)? tableSnapshot? partitionSelection? tabletSelection?
        tableSample? tableAlias? tableSample? indexHint* relationHint? lateralView* # tableRelation
    | LEFT_PAREN query RIGHT_PAREN tableAlias? lateralView*          # subqueryRelation
    | qualifiedName propertyList tableAlias? lateralView*            # functionRelation
    | LEFT_PAREN relations RIGHT_PAREN                               # nestedRelation
    ;

// How MySQL is told which index to read; it never changes a result.
indexHint
    : (USE | FORCE | IGNORE) (INDEX | KEY) (FOR (JOIN | ORDER BY | GROUP BY))?
        LEFT_PAREN ((identifier | PRIMARY) (COMMA (identifier | PRIMARY))*)? RIGHT_PAREN
    ;

scanParameters
    : AT identifier propertyList
    ;

tableSnapshot
    : FOR VERSION AS OF INTEGER_LITERAL
    | FOR (TIME | TIMESTAMP) AS OF STRING_LITERAL
    ;

tabletSelection
    : TABLET integerList
    ;

tableSample
    : TABLESAMPLE LEFT_PAREN INTEGER_LITERAL (ROWS | PERCENT_KEYWORD) RIGHT_PAREN (REPEATABLE (INTEGER_LITERAL | LEFT_PAREN INTEGER_LITERAL RIGHT_PAREN))?
    ;

tableAlias
    : AS? identifierOrText identifierList?
    ;

relationHint
    : LEFT_BRACKET identifier (COMMA identifier)* RIGHT_BRACKET
    ;

lateralView
    : LATERAL VIEW OUTER? functionCall identifier (AS identifier (COMMA identifier)*)?
    ;
