// SPDX-License-Identifier: Apache-2.0
// Expressions, names, types, literals and property lists.
parser grammar ExprParser;

// Conditions. Chains of one connective are folded into one node by the builder.
expression
    : (NOT | BANG) expression                                        # logicalNot
    | valueExpression predicate*                                     # predicated
    | expression (AND | DOUBLE_AMPERSAND) expression                 # logicalAnd
    | expression XOR expression                                      # logicalXor
    | expression (OR | DOUBLE_PIPE) expression                       # logicalOr
    ;

predicate
    : comparisonOperator (ANY | SOME | ALL) LEFT_PAREN query RIGHT_PAREN # quantifiedPredicate
    | comparisonOperator valueExpression                             # comparisonPredicate
    | NOT? BETWEEN low=valueExpression AND high=valueExpression      # betweenPredicate
    | NOT? (LIKE | REGEXP | RLIKE) pattern=valueExpression
        (ESCAPE escape=valueExpression)?                             # likePredicate
    | NOT? matchOperator valueExpression                             # matchPredicate
    | NOT? IN LEFT_PAREN query RIGHT_PAREN                           # inQueryPredicate
    | NOT? IN LEFT_PAREN listItem (COMMA listItem)* RIGHT_PAREN      # inListPredicate
    | IS NOT? (NULL | UNKNOWN)                                       # nullPredicate
    | IS NOT? DISTINCT FROM valueExpression                          # distinctPredicate
    | IS NOT? (TRUE | FALSE)                                         # truthPredicate
    ;

comparisonOperator
    : EQUAL | NULL_SAFE_EQUAL | NOT_EQUAL | LESS | LESS_OR_EQUAL | GREATER | GREATER_OR_EQUAL
    ;

matchOperator
    : MATCH | MATCH_ANY | MATCH_ALL | MATCH_PHRASE | MATCH_PHRASE_PREFIX | MATCH_PHRASE_EDGE | MATCH_REGEXP
    | MATCH_ELEMENT_EQ | MATCH_ELEMENT_LT | MATCH_ELEMENT_GT | MATCH_ELEMENT_LE | MATCH_ELEMENT_GE
    ;

// CONCAT_PIPE is || under PIPES_AS_CONCAT.
valueExpression
    : BINARY valueExpression                                         # binaryStringValue
    | primaryExpression                                              # primaryValue
    | (MINUS | PLUS | TILDE) valueExpression                         # unaryValue
    | valueExpression CONCAT_PIPE valueExpression                    # concatValue
    | valueExpression (STAR | SLASH | PERCENT | DIV | MOD) valueExpression      # multiplicativeValue
    | valueExpression (PLUS | MINUS | CARET | PIPE | AMPERSAND) valueExpression # additiveValue
    | valueExpression (LESS LESS | GREATER GREATER) valueExpression  # shiftValue
    ;

primaryExpression
    : CHARSET_INTRODUCER STRING_LITERAL                              # introducedText
    | constant                                                       # constantPrimary
    | (HEX_LITERAL | BIT_LITERAL)                                    # bytesPrimary
    | ROW LEFT_PAREN expression (COMMA expression)* RIGHT_PAREN      # rowPrimary
    | kind=(DATE | DATEV1 | DATEV2 | DATETIME | DATETIMEV1 | DATETIMEV2 | TIMESTAMP | TIME) STRING_LITERAL # typedLiteral
    | INTERVAL valueExpression intervalUnit                          # intervalPrimary
    | CASE operand=expression? whenClause+ (ELSE otherwise=expression)? END     # casePrimary
    | (CAST | TRY_CAST) LEFT_PAREN expression AS dataType RIGHT_PAREN           # castPrimary
    | CONVERT LEFT_PAREN expression COMMA dataType RIGHT_PAREN       # convertType
    | CONVERT LEFT_PAREN expression USING identifierOrText RIGHT_PAREN          # convertCharset
    | EXTRACT LEFT_PAREN identifier FROM (DATE | DATETIME | TIMESTAMP)? valueExpression RIGHT_PAREN # extractPrimary
    | TRIM LEFT_PAREN side=(BOTH | LEADING | TRAILING)? what=expression? FROM source=expression RIGHT_PAREN # trimPrimary
    | (SUBSTRING | SUBSTR) LEFT_PAREN source=expression FROM start=expression (FOR count=expression)? RIGHT_PAREN # substringPrimary
    | POSITION LEFT_PAREN needle=valueExpression IN source=valueExpression RIGHT_PAREN # positionPrimary
    | EXISTS LEFT_PAREN query RIGHT_PAREN                            # existsPrimary
    | functionCall                                                   # functionPrimary
    | KEY identifier (DOT identifier)?                               # encryptKeyPrimary
    | identifier                                                     # columnPrimary
    | QUESTION_MARK                                                      # parameterPrimary
    | DOUBLE_AT identifier (DOT identifier)?                         # systemVariablePrimary
    | AT identifierOrText COLON_EQUAL expression                     # userVariableAssignment
    | AT identifierOrText                                            # userVariablePrimary
    | LEFT_PAREN query RIGHT_PAREN                                   # subqueryPrimary
    | LEFT_PAREN expression RIGHT_PAREN                              # parenthesizedPrimary
    | LEFT_PAREN expression (COMMA expression)+ RIGHT_PAREN          # rowPrimary
    | LEFT_BRACKET (listItem (COMMA listItem)*)? RIGHT_BRACKET       # arrayPrimary
    | LEFT_BRACE (mapEntry (COMMA mapEntry)*)? RIGHT_BRACE           # mapPrimary
    | LEFT_BRACE expression (COMMA expression)* RIGHT_BRACE          # structPrimary
    | primaryExpression LEFT_BRACKET valueExpression RIGHT_BRACKET   # subscriptPrimary
    | primaryExpression LEFT_BRACKET begin=valueExpression COLON end=valueExpression? RIGHT_BRACKET # slicePrimary
    | primaryExpression (DOT identifier | DOT_NAME)                  # fieldPrimary
    | primaryExpression COLLATE identifierOrText                     # collatePrimary
    ;

constant
    : NULL | TRUE | FALSE | INTEGER_LITERAL | DECIMAL_LITERAL | STRING_LITERAL
    ;

// The first two alternatives keep long lists of literals off the long road through expression.
listItem
    : constant                                                       # constantItem
    | (MINUS | PLUS) (INTEGER_LITERAL | DECIMAL_LITERAL)             # signedItem
    | DEFAULT                                                        # defaultItem
    | expression                                                     # expressionItem
    ;

mapEntry
    : key=expression COLON value=expression
    ;

whenClause
    : WHEN condition=expression THEN result=expression
    ;

functionCall
    : functionName LEFT_PAREN
        ((DISTINCT | ALL)? functionArgument (COMMA functionArgument)* (ORDER BY sortItem (COMMA sortItem)*)?
            (SEPARATOR STRING_LITERAL)? (USING charset=identifierOrText)?)?
      RIGHT_PAREN ((IGNORE | RESPECT) NULLS)? (FILTER LEFT_PAREN WHERE filter=expression RIGHT_PAREN)? (OVER (windowSpecification | identifier))?
    ;

functionName
    : (identifier DOT)? (identifier | LEFT | RIGHT | MOD | LIKE | REGEXP | RLIKE | INSERT)
    ;

functionArgument
    : STAR                                                           # starArgument
    | identifier ARROW expression                                    # lambdaArgument
    | LEFT_PAREN identifier (COMMA identifier)+ RIGHT_PAREN ARROW expression # lambdaArgument
    | expression                                                     # expressionArgument
    ;

windowSpecification
    : LEFT_PAREN base=identifier? (PARTITION BY expression (COMMA expression)*)? (ORDER BY sortItem (COMMA sortItem)*)? windowFrame? RIGHT_PAREN
    ;

windowFrame
    : (ROWS | RANGE) start=frameBound
    | (ROWS | RANGE) BETWEEN start=frameBound AND end=frameBound
    ;

frameBound
    : UNBOUNDED (PRECEDING | FOLLOWING)                              # unboundedBound
    | CURRENT ROW                                                    # currentRowBound
    | valueExpression (PRECEDING | FOLLOWING)                        # distanceBound
    ;

sortItem
    : expression (ASC | DESC)? (NULLS (FIRST | LAST))?
    ;

intervalUnit
    : YEAR | QUARTER | MONTH | WEEK | DAY | HOUR | MINUTE | SECOND | MILLISECOND | MICROSECOND | YEAR_MONTH
    | DAY_HOUR | DAY_MINUTE | DAY_SECOND | DAY_MICROSECOND | HOUR_MINUTE | HOUR_SECOND | HOUR_MICROSECOND
    | MINUTE_SECOND | MINUTE_MICROSECOND | SECOND_MICROSECOND
    ;

// Types

dataType
    : ARRAY LESS dataType GREATER                                    # arrayType
    | MAP LESS dataType COMMA dataType GREATER                       # mapType
    | STRUCT LESS structField (COMMA structField)* GREATER           # structType
    | AGG_STATE LESS functionName LEFT_PAREN (aggregateArgument (COMMA aggregateArgument)*)? RIGHT_PAREN GREATER # aggregateStateType
    | (SIGNED | UNSIGNED) (INT | INTEGER)?                           # signedType
    | identifier PRECISION?
        (LEFT_PAREN typeParameter (COMMA typeParameter)* RIGHT_PAREN)? (UNSIGNED | SIGNED | ZEROFILL)*
        ((CHARACTER SET | CHARSET) identifierOrText)?                # scalarType
    ;

typeParameter
    : INTEGER_LITERAL | STAR
    ;

structField
    : identifier COLON? dataType (NOT? NULL)? commentClause?
    ;

aggregateArgument
    : dataType (NOT? NULL)?
    ;

// Names and small shared pieces

qualifiedName
    : identifier (DOT identifier | DOT_NAME)*
    ;

identifierList
    : LEFT_PAREN identifier (COMMA identifier)* RIGHT_PAREN
    ;

identifierOrText
    : identifier | STRING_LITERAL
    ;

integerList
    : LEFT_PAREN INTEGER_LITERAL (COMMA INTEGER_LITERAL)* RIGHT_PAREN
    ;

commentClause
    : COMMENT EQUAL? STRING_LITERAL
    ;

propertyClause
    : PROPERTIES propertyList
    ;

propertyList
    : LEFT_PAREN (property (COMMA property)* COMMA?)? RIGHT_PAREN
    ;

property
    : propertyKey EQUAL propertyValue
    ;

propertyKey
    : STRING_LITERAL | INTEGER_LITERAL | identifier ((DOT | MINUS) identifier)*
    ;

propertyValue
    : STRING_LITERAL | MINUS? (INTEGER_LITERAL | DECIMAL_LITERAL) | TRUE | FALSE | NULL | identifier
    ;

ifExists
    : IF EXISTS
    ;

ifNotExists
    : IF NOT EXISTS
    ;

partitionSelection
    : TEMPORARY? (PARTITION | PARTITIONS) (identifier | identifierList | LEFT_PAREN STAR RIGHT_PAREN | STAR)
    ;

userIdentity
    : user=identifierOrText (AT (host=identifierOrText | LEFT_PAREN domain=identifierOrText RIGHT_PAREN))?
    ;

identifier
    : IDENTIFIER
    | QUOTED_IDENTIFIER
    | nonReserved
    ;

// Every keyword that may be a name. Sorted like the lexer.
nonReserved
    : ACCOUNT_LOCK | ACCOUNT_UNLOCK | ACTION | ACTIONS | ADD | ADMIN | AFTER | AGGREGATE | AGG_STATE | ALIAS | ALTER
    | ALWAYS | ANALYZE | ANALYZED | ANALYZER | ANY | APPEND | ARRAY | AT_KEYWORD | AUTHORS | AUTO | AUTO_INCREMENT
    | AVG_ROW_LENGTH | AWARE | BACKEND | BACKENDS | BACKUP | BEGIN | BELONG | BIN | BINARY | BINLOG | BITMAP_UNION
    | BOTH | BRIEF | BROKER | BUCKETS | BUILD | BUILTIN | CACHE | CACHED | CALL | CANCEL | CASCADE | CATALOG
    | CATALOGS | CHAIN | CHAR | CHARACTER | CHARSET | CHARSET_INTRODUCER | CHAR_FILTER | CHECK | CHECKSUM | CLEAN
    | CLUSTER | CLUSTERS | COLLATE | COLLATION | COLOCATE | COLUMN | COLUMNS | COMMENT | COMMIT | COMMITTED | COMPACT
    | COMPLETE | COMPRESS_TYPE | COMPUTE | CONDITIONS | CONFIG | CONNECTION | CONSISTENT | CONSTRAINT | CONSTRAINTS
    | CONVERT | CONVERT_LIGHT_SCHEMA_CHANGE_PROCESS | COPY | COUNT | CRON | CUBE | CURRENT | CURRENT_TIMESTAMP | DATA
    | DATABASE | DATABASES | DATE | DATETIME | DATETIMEV1 | DATETIMEV2 | DATEV1 | DATEV2 | DAY | DAY_HOUR
    | DAY_MICROSECOND | DAY_MINUTE | DAY_SECOND | DEALLOCATE | DECOMMISSION | DEFERRED | DELAYED | DESCRIBE | DIAGNOSE
    | DIAGNOSIS | DICTIONARY | DISK | DISKS | DISTRIBUTED | DISTRIBUTION | DO | DROPP | DUMP | DUMPFILE | DUPLICATE
    | DYNAMIC | ENABLE | ENCLOSED | ENCRYPTION | ENCRYPTKEY | ENCRYPTKEYS | END | ENDS | ENGINE | ENGINES | ERRORS
    | ESCAPE | ESCAPED | EVENTS | EVERY | EXCLUDE | EXECUTE | EXPIRED | EXPLAIN | EXPORT | EXTERNAL | EXTRACT
    | FAILED_LOGIN_ATTEMPTS | FEATURE | FETCH | FIELDS | FILE | FILTER | FIRST | FLUSH | FOLLOWER | FOLLOWING | FORCE
    | FOREIGN | FORMAT | FRONTEND | FRONTENDS | FULLTEXT | FUNCTION | FUNCTIONS | GENERATED | GENERIC | GLOBAL
    | GRANTS | GRAPH | GROUPING | GROUPS | HASH | HDFS | HELP | HIGH_PRIORITY | HISTOGRAM | HLL_UNION | HOSTNAME
    | HOTSPOT | HOUR | HOUR_MICROSECOND | HOUR_MINUTE | HOUR_SECOND | HUB | IDENTIFIED | IF | IGNORE | IMMEDIATE
    | INCREMENTAL | INDEX | INDEXES | INFILE | INSTALL | INT | INTEGER | INTERMEDIATE | INVERTED | ISOLATION | JOB
    | JOBS | KEY | KEYS | KEY_BLOCK_SIZE | KILL | LABEL | LAST | LDAP | LDAP_ADMIN_PASSWORD | LEADING | LESS_KEYWORD
    | LEVEL | LINES | LIST | LOAD | LOCAL | LOCATION | LOCK | LOGICAL | LOW_PRIORITY | MANUAL | MAP | MATERIALIZED
    | MAX | MAX_ROWS | MEMO | MERGE | MICROSECOND | MIGRATIONS | MILLISECOND | MIN | MINUTE | MINUTE_MICROSECOND
    | MINUTE_SECOND | MIN_ROWS | MODE | MODIFY | MONTH | NAMES | NEGATIVE | NEVER | NEXT | NO | NULLS | OBSERVER | OF
    | OFFSET | ONLY | OPEN | OPTIMIZED | OPTIONALLY | OUTFILE | OVERWRITE | PARAMETER | PARSED | PARTITIONS | PASSWORD
    | PASSWORD_EXPIRE | PASSWORD_HISTORY | PASSWORD_LOCK_TIME | PASSWORD_REUSE | PATH | PAUSE | PERCENT_KEYWORD
    | PERIOD | PERMISSIVE | PHYSICAL | PLAN | PLUGIN | PLUGINS | POLICY | POSITION | PRECEDING | PRECISION | PREPARE
    | PRIMARY | PRIVILEGES | PROC | PROCEDURE | PROCESS | PROCESSLIST | PROFILE | PROFILES | PROPERTIES | PROPERTY
    | QUANTILE_UNION | QUARTER | QUERY | QUEUED | QUOTA | RANDOM | RANGE | READ | REBALANCE | RECOVER | RECURSIVE
    | RECYCLE | REFERENCES | REFRESH | RELEASE | RENAME | REPAIR | REPEATABLE | REPLACE | REPLACE_IF_NOT_NULL
    | REPLICA | REPOSITORIES | REPOSITORY | RESOURCE | RESOURCES | RESPECT | RESTORE | RESTRICT | RESTRICTIVE | RESUME
    | RETURNS | REWRITTEN | ROLE | ROLES | ROLLBACK | ROLLUP | ROOT | ROUTINE | ROW | ROWS | ROW_FORMAT | S3 | SAMPLE
    | SAVEPOINT | SCHEDULE | SCHEMA | SCHEMAS | SECOND | SECOND_MICROSECOND | SEPARATOR | SERIALIZABLE | SESSION
    | SETS | SET_SESSION_VARIABLE | SHAPE | SHARE | SIGNED | SKEW | SNAPSHOT | SOME | SPATIAL | SQL | SQL_BIG_RESULT
    | SQL_BLOCK_RULE | SQL_BUFFER_RESULT | SQL_CACHE | SQL_CALC_FOUND_ROWS | SQL_NO_CACHE | SQL_SMALL_RESULT | STAGE
    | STAGES | START | STARTING | STARTS | STATS | STATS_PERSISTENT | STATUS | STOP | STORAGE | STORED | STREAM
    | STREAMING | STRUCT | SUBSTR | SUBSTRING | SUM | SWITCH | SYNC | SYSTEM | TABLES | TABLET | TABLETS | TASK
    | TASKS | TEMPORARY | TERMINATED | THAN | TIME | TIMESTAMP | TOKENIZER | TOKEN_FILTER | TRAILING | TRANSACTION
    | TRASH | TREE | TRIGGERS | TRIM | TRUNCATE | TYPES | TYPE_CAST | UNBOUNDED | UNCOMMITTED | UNINSTALL | UNIQUE
    | UNKNOWN | UNLOCK | UNSET | UNSIGNED | UP | USE | USER | VALUE | VARIABLE | VARIABLES | VAULT | VAULTS | VERBOSE
    | VERSION | VIEW | VIEWS | VIRTUAL | WARM | WARNINGS | WEEK | WINDOW | WORK | WORKLOAD | WRITE | YEAR | YEAR_MONTH
    | ZEROFILL
    ;
