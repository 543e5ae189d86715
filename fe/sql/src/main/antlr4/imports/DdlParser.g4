// SPDX-License-Identifier: Apache-2.0
// Statements that define objects.
parser grammar DdlParser;

ddlStatement
    : CREATE (DATABASE | SCHEMA) ifNotExists? qualifiedName databaseOption* propertyClause?  # createDatabase
    | DROP (DATABASE | SCHEMA) ifExists? qualifiedName FORCE?        # dropDatabase
    | ALTER (DATABASE | SCHEMA) qualifiedName alterDatabaseClause    # alterDatabase
    | CREATE EXTERNAL? TEMPORARY? TABLE ifNotExists? qualifiedName LIKE qualifiedName (WITH ROLLUP identifierList?)? # createTableLike
    | CREATE EXTERNAL? TEMPORARY? TABLE ifNotExists? qualifiedName
        (LEFT_PAREN tableElement (COMMA tableElement)* COMMA? RIGHT_PAREN)? tableOption* (AS? query)? # createTable
    | DROP TEMPORARY? TABLE ifExists? qualifiedName FORCE?           # dropTable
    | TRUNCATE TABLE? qualifiedName partitionSelection? FORCE?       # truncateTable
    | ALTER TABLE qualifiedName alterTableClause (COMMA alterTableClause)* # alterTable
    | CREATE INDEX ifNotExists? identifier ON qualifiedName identifierList indexOption* # createIndex
    | DROP INDEX ifExists? identifier ON qualifiedName               # dropIndex
    | BUILD INDEX identifier? ON qualifiedName partitionSelection?   # buildIndex
    | CREATE (OR REPLACE)? VIEW ifNotExists? qualifiedName viewColumns? commentClause? AS query # createView
    | ALTER VIEW qualifiedName ((MODIFY commentClause) | viewColumns? commentClause? AS query) # alterView
    | DROP VIEW ifExists? qualifiedName                              # dropView
    | RECOVER (DATABASE | SCHEMA) identifier INTEGER_LITERAL? (AS identifier)? # recoverDatabase
    | RECOVER TABLE qualifiedName INTEGER_LITERAL? (AS identifier)?  # recoverTable
    | RECOVER PARTITION identifier INTEGER_LITERAL? (AS identifier)? FROM qualifiedName # recoverPartition
    | CREATE MATERIALIZED VIEW ifNotExists? qualifiedName viewColumns? (BUILD (IMMEDIATE | DEFERRED))? refreshMethod?
        refreshTrigger? ((DUPLICATE)? KEY identifierList)? commentClause?
        (PARTITION BY LEFT_PAREN expression RIGHT_PAREN)? distributionClause? propertyClause? AS query (ON qualifiedName)? # createMaterializedView
    | DROP MATERIALIZED VIEW ifExists? qualifiedName (ON qualifiedName)? # dropMaterializedView
    | ALTER MATERIALIZED VIEW qualifiedName (RENAME identifier | refreshMethod refreshTrigger? | refreshTrigger
        | REPLACE WITH MATERIALIZED VIEW identifier propertyClause? | SET propertyList) # alterMaterializedView
    | REFRESH MATERIALIZED VIEW qualifiedName (partitionSelection | COMPLETE | AUTO)? # refreshMaterializedView
    | PAUSE MATERIALIZED VIEW JOB ON qualifiedName                   # pauseMaterializedViewJob
    | RESUME MATERIALIZED VIEW JOB ON qualifiedName                  # resumeMaterializedViewJob
    | CANCEL MATERIALIZED VIEW TASK INTEGER_LITERAL ON qualifiedName # cancelMaterializedViewTask
    | CREATE (GLOBAL | SESSION | LOCAL)? (AGGREGATE | TABLES)? FUNCTION ifNotExists? functionSignature RETURNS dataType
        (INTERMEDIATE dataType)? propertyClause?                     # createFunction
    | CREATE (GLOBAL | SESSION | LOCAL)? ALIAS FUNCTION ifNotExists? functionSignature WITH PARAMETER
        LEFT_PAREN (identifier (COMMA identifier)*)? RIGHT_PAREN AS expression # createAliasFunction
    | DROP (GLOBAL | SESSION | LOCAL)? FUNCTION ifExists? functionSignature # dropFunction
    | CREATE CATALOG ifNotExists? identifier (WITH RESOURCE identifierOrText)? commentClause? propertyClause? # createCatalog
    | ALTER CATALOG identifier (RENAME identifier | SET PROPERTIES propertyList | MODIFY commentClause) # alterCatalog
    | DROP CATALOG ifExists? identifier                              # dropCatalog
    | REFRESH CATALOG identifier propertyClause?                     # refreshCatalog
    | REFRESH DATABASE qualifiedName propertyClause?                 # refreshDatabase
    | REFRESH TABLE qualifiedName                                    # refreshTable
    | REFRESH LDAP (ALL | (FOR identifierOrText))?                   # refreshLdap
    | CREATE EXTERNAL? RESOURCE ifNotExists? identifierOrText propertyClause? # createResource
    | ALTER RESOURCE identifierOrText propertyClause                 # alterResource
    | DROP RESOURCE ifExists? identifierOrText                       # dropResource
    | CREATE STORAGE POLICY ifNotExists? identifier propertyClause?  # createStoragePolicy
    | ALTER STORAGE POLICY identifier propertyClause                 # alterStoragePolicy
    | DROP STORAGE POLICY ifExists? identifier                       # dropStoragePolicy
    | CREATE STORAGE VAULT ifNotExists? identifierOrText propertyClause? # createStorageVault
    | ALTER STORAGE VAULT identifierOrText propertyClause            # alterStorageVault
    | CREATE SQL_BLOCK_RULE ifNotExists? identifier propertyClause?  # createSqlBlockRule
    | ALTER SQL_BLOCK_RULE identifier propertyClause?                # alterSqlBlockRule
    | DROP SQL_BLOCK_RULE ifExists? identifier (COMMA identifier)*   # dropSqlBlockRule
    | CREATE ROW POLICY ifNotExists? identifier ON qualifiedName AS (RESTRICTIVE | PERMISSIVE)
        TO (ROLE identifierOrText | userIdentity) USING LEFT_PAREN expression RIGHT_PAREN # createRowPolicy
    | DROP ROW POLICY ifExists? identifier ON qualifiedName (FOR (ROLE identifierOrText | userIdentity))? # dropRowPolicy
    | CREATE ENCRYPTKEY ifNotExists? qualifiedName AS STRING_LITERAL # createEncryptkey
    | DROP ENCRYPTKEY ifExists? qualifiedName                        # dropEncryptkey
    | CREATE FILE STRING_LITERAL ((FROM | IN) qualifiedName)? propertyClause # createFile
    | DROP FILE STRING_LITERAL ((FROM | IN) qualifiedName)? propertyClause # dropFile
    | CREATE (READ ONLY)? REPOSITORY identifier WITH (BROKER identifier | S3 | HDFS | LOCAL | identifier) ON LOCATION STRING_LITERAL propertyClause? # createRepository
    | ALTER REPOSITORY identifier propertyClause                     # alterRepository
    | DROP REPOSITORY identifier                                     # dropRepository
    | CREATE STAGE ifNotExists? identifier propertyClause            # createStage
    | DROP STAGE ifExists? identifier                                # dropStage
    | BACKUP SNAPSHOT qualifiedName TO identifier backupTables? propertyClause? # backup
    | RESTORE SNAPSHOT qualifiedName FROM identifier backupTables? propertyClause? # restore
    | CANCEL (WARM UP)? BACKUP (FROM qualifiedName)?                 # cancelBackup
    | CANCEL RESTORE (FROM qualifiedName)?                           # cancelRestore
    | CREATE JOB qualifiedName ON (SCHEDULE jobSchedule | STREAMING) commentClause? DO statement # createJob
    | PAUSE JOB (WHERE expression | identifierOrText)                # pauseJob
    | RESUME JOB (WHERE expression | identifierOrText)               # resumeJob
    | DROP JOB (ifExists? WHERE expression | ifExists? identifierOrText) # dropJob
    | CANCEL TASK (WHERE expression)                                 # cancelTask
    | CREATE (OR REPLACE)? (PROCEDURE | PROC) .*?                    # createProcedure
    | DROP (PROCEDURE | PROC) ifExists? qualifiedName                # dropProcedure
    | CREATE WORKLOAD GROUP ifNotExists? identifierOrText propertyClause? # createWorkloadGroup
    | ALTER WORKLOAD GROUP identifierOrText propertyClause           # alterWorkloadGroup
    | DROP WORKLOAD GROUP ifExists? identifierOrText                 # dropWorkloadGroup
    | CREATE WORKLOAD POLICY ifNotExists? identifierOrText (CONDITIONS LEFT_PAREN (workloadCondition (COMMA workloadCondition)*)? RIGHT_PAREN)?
        (ACTIONS LEFT_PAREN workloadAction (COMMA workloadAction)* RIGHT_PAREN)? propertyClause? # createWorkloadPolicy
    | ALTER WORKLOAD POLICY identifierOrText propertyClause          # alterWorkloadPolicy
    | DROP WORKLOAD POLICY ifExists? identifierOrText                # dropWorkloadPolicy
    | ALTER COLOCATE GROUP qualifiedName SET propertyList            # alterColocateGroup
    | CREATE INVERTED INDEX (ANALYZER | TOKENIZER | TOKEN_FILTER | CHAR_FILTER) ifNotExists? identifier propertyClause # createInvertedIndexAnalyzer
    ;

databaseOption
    : DEFAULT? (CHARACTER SET | CHARSET) EQUAL? identifierOrText
    | DEFAULT? COLLATE EQUAL? identifierOrText
    | commentClause
    ;

alterDatabaseClause
    : RENAME identifier                                              # renameDatabase
    | SET (DATA | REPLICA | TRANSACTION) QUOTA (INTEGER_LITERAL | identifier) # setDatabaseQuota
    | SET PROPERTIES propertyList                                    # setDatabaseProperties
    ;

// Tables. Clauses of MySQL that mean nothing here are parsed and reported as ignored.

tableElement
    : INDEX ifNotExists? identifier identifierList indexOption*      # indexElement
    | (KEY | INDEX) identifier? keyParts indexOption*                # ignoredElement
    | (CONSTRAINT identifier?)? PRIMARY KEY indexOption* keyParts indexOption* # primaryKeyElement
    | (CONSTRAINT identifier?)? UNIQUE (KEY | INDEX)? identifier? keyParts indexOption* # ignoredElement
    | (FULLTEXT | SPATIAL) (KEY | INDEX)? identifier? keyParts indexOption* # ignoredElement
    | (CONSTRAINT identifier?)? FOREIGN KEY identifier? identifierList referenceClause # ignoredElement
    | (CONSTRAINT identifier?)? CHECK LEFT_PAREN expression RIGHT_PAREN # ignoredElement
    | columnDefinition                                               # columnElement
    ;

keyParts
    : LEFT_PAREN keyPart (COMMA keyPart)* RIGHT_PAREN
    ;

keyPart
    : identifier (LEFT_PAREN INTEGER_LITERAL RIGHT_PAREN)? (ASC | DESC)?
    ;

referenceClause
    : REFERENCES qualifiedName identifierList? (ON (DELETE | UPDATE) (CASCADE | RESTRICT | SET NULL | SET DEFAULT | NO ACTION))*
    ;

columnDefinition
    : identifier (dataType columnOption*)?
    ;

columnOption
    : KEY                                                            # keyOption
    | PRIMARY KEY                                                    # primaryKeyOption
    | aggregate=(SUM | MIN | MAX | REPLACE | REPLACE_IF_NOT_NULL | HLL_UNION | BITMAP_UNION | QUANTILE_UNION | GENERIC) # aggregateOption
    | (GENERATED ALWAYS)? AS LEFT_PAREN expression RIGHT_PAREN (STORED | VIRTUAL)? # generatedOption
    | NOT NULL                                                       # notNullOption
    | NULL                                                           # nullOption
    | AUTO_INCREMENT (LEFT_PAREN INTEGER_LITERAL RIGHT_PAREN)?       # autoIncrementOption
    | DEFAULT defaultValue                                           # defaultOption
    | ON UPDATE defaultValue                                         # onUpdateOption
    | commentClause                                                  # commentOption
    | UNIQUE KEY?                                                    # ignoredOption
    | COLLATE identifierOrText                                       # ignoredOption
    | referenceClause                                                # ignoredOption
    ;

defaultValue
    : NULL
    | TRUE
    | FALSE
    | STRING_LITERAL
    | (MINUS | PLUS)? (INTEGER_LITERAL | DECIMAL_LITERAL)
    | identifier (LEFT_PAREN INTEGER_LITERAL? RIGHT_PAREN)?
    | LEFT_BRACKET RIGHT_BRACKET
    ;

indexOption
    : USING identifier                                               # usingOption
    | propertyClause                                                 # propertiesOption
    | commentClause                                                  # indexCommentOption
    ;

tableOption
    : ENGINE EQUAL? identifierOrText                                 # engineOption
    | (DUPLICATE | UNIQUE | AGGREGATE | PRIMARY) KEY identifierList (CLUSTER BY identifierList)? # keyClauseOption
    | CLUSTER BY identifierList                                      # clusterOption
    | commentClause                                                  # tableCommentOption
    | partitionClause                                                # partitionOption
    | distributionClause                                             # distributionOption
    | ROLLUP LEFT_PAREN (rollupDefinition (COMMA rollupDefinition)*)? RIGHT_PAREN # rollupOption
    | propertyClause                                                 # tablePropertiesOption
    | BROKER propertyClause                                          # brokerPropertiesOption
    | DEFAULT? (CHARACTER SET | CHARSET) EQUAL? identifierOrText     # ignoredTableOption
    | DEFAULT? COLLATE EQUAL? identifierOrText                       # ignoredTableOption
    | (AUTO_INCREMENT | ROW_FORMAT | KEY_BLOCK_SIZE | STATS_PERSISTENT | AVG_ROW_LENGTH | MAX_ROWS | MIN_ROWS | CHECKSUM)
        EQUAL? (INTEGER_LITERAL | identifierOrText | DEFAULT)        # ignoredTableOption
    ;

partitionClause
    : AUTO? PARTITION BY (RANGE | LIST)? (LEFT_PAREN expression (COMMA expression)* RIGHT_PAREN | functionCall)
        (LEFT_PAREN (partitionDefinition (COMMA partitionDefinition)*)? RIGHT_PAREN)?
    ;

partitionDefinition
    : PARTITION ifNotExists? identifier VALUES LESS_KEYWORD THAN (MAXVALUE | partitionTuple) propertyList? # lessThanPartition
    | PARTITION ifNotExists? identifier VALUES LEFT_BRACKET partitionTuple COMMA partitionTuple RIGHT_PAREN propertyList? # fixedPartition
    | PARTITION ifNotExists? identifier VALUES IN LEFT_PAREN
        (partitionTuple (COMMA partitionTuple)* | partitionBound (COMMA partitionBound)*) RIGHT_PAREN propertyList? # inPartition
    | PARTITION ifNotExists? identifier propertyList?                # barePartition
    | FROM partitionTuple TO partitionTuple INTERVAL INTEGER_LITERAL identifier? propertyList? # batchPartition
    ;

partitionTuple
    : LEFT_PAREN partitionBound (COMMA partitionBound)* RIGHT_PAREN
    ;

partitionBound
    : MAXVALUE
    | valueExpression
    ;

distributionClause
    : DISTRIBUTED BY (HASH identifierList | RANDOM) (BUCKETS (INTEGER_LITERAL | AUTO))?
    ;

rollupDefinition
    : identifier identifierList (DUPLICATE KEY identifierList)? propertyClause?
    ;

alterTableClause
    : ADD COLUMN? columnDefinition columnPosition? rollupTarget? propertyClause? # addColumn
    | ADD COLUMN? LEFT_PAREN columnDefinition (COMMA columnDefinition)* RIGHT_PAREN rollupTarget? propertyClause? # addColumns
    | DROP COLUMN? identifier rollupSource? propertyClause?          # dropColumn
    | MODIFY COLUMN identifier (INDEX identifier)? SET STATS propertyList partitionSelection? # setColumnStatistics
    | MODIFY COLUMN? identifier commentClause                        # modifyColumnComment
    | MODIFY COLUMN? columnDefinition columnPosition? rollupSource? propertyClause? # modifyColumn
    | ORDER BY identifierList rollupSource? propertyClause?          # reorderColumns
    | RENAME COLUMN identifier TO? identifier                        # renameColumn
    | RENAME PARTITION identifier TO? identifier                     # renamePartition
    | RENAME ROLLUP identifier TO? identifier                        # renameRollup
    | RENAME TO? identifier                                          # renameTable
    | ADD INDEX ifNotExists? identifier identifierList indexOption*  # addIndex
    | DROP INDEX ifExists? identifier                                # dropTableIndex
    | ADD ROLLUP rollupDefinition rollupSource? (COMMA rollupDefinition rollupSource?)* # addRollups
    | DROP ROLLUP ifExists? identifier (COMMA identifier)*           # dropRollups
    | ADD TEMPORARY? (PARTITION? partitionDefinition | PARTITIONS partitionDefinition) distributionClause? propertyClause? # addPartition
    | DROP TEMPORARY? PARTITION ifExists? (FORCE identifier | identifier (COMMA identifier)* FORCE?) (FROM INDEX identifier)? # dropPartition
    | MODIFY partitionSelection SET propertyList                     # modifyPartitions
    | REPLACE (PARTITION | PARTITIONS)? identifierList FORCE? WITH TEMPORARY (PARTITION | PARTITIONS) identifierList FORCE? propertyClause? # replacePartitions
    | REPLACE WITH TABLE identifier propertyClause? FORCE?           # replaceTable
    | SET propertyList                                               # setTableProperties
    | ENABLE FEATURE STRING_LITERAL (WITH PROPERTIES propertyList)?  # enableFeature
    | MODIFY DISTRIBUTION distributionClause?                        # modifyDistribution
    | MODIFY commentClause                                           # modifyTableComment
    | MODIFY ENGINE TO identifier propertyClause?                    # modifyEngine
    | ADD CONSTRAINT identifier constraintDefinition                 # addConstraint
    | DROP CONSTRAINT identifier                                     # dropConstraint
    ;

constraintDefinition
    : PRIMARY KEY identifierList                                     # primaryKeyConstraint
    | UNIQUE identifierList                                          # uniqueConstraint
    | FOREIGN KEY identifierList REFERENCES qualifiedName identifierList # foreignKeyConstraint
    ;

columnPosition
    : FIRST | AFTER identifier
    ;

rollupTarget
    : (TO | IN) identifier
    ;

rollupSource
    : FROM identifier
    ;

viewColumns
    : LEFT_PAREN viewColumn (COMMA viewColumn)* RIGHT_PAREN
    ;

viewColumn
    : identifier commentClause?
    ;

refreshMethod
    : REFRESH (COMPLETE | AUTO)?
    ;

refreshTrigger
    : ON (MANUAL | COMMIT | SCHEDULE EVERY INTEGER_LITERAL identifier (STARTS STRING_LITERAL)?)
    ;

functionSignature
    : qualifiedName LEFT_PAREN ((dataType (COMMA dataType)*)? (COMMA? ELLIPSIS)?) RIGHT_PAREN
    ;

backupTables
    : (ON | EXCLUDE) LEFT_PAREN backupTable (COMMA backupTable)* RIGHT_PAREN
    ;

backupTable
    : qualifiedName partitionSelection? (AS identifier)?
    ;

jobSchedule
    : EVERY INTEGER_LITERAL identifier (STARTS (STRING_LITERAL | CURRENT_TIMESTAMP))? (ENDS STRING_LITERAL)?
    | AT_KEYWORD (STRING_LITERAL | CURRENT_TIMESTAMP)
    ;

workloadCondition
    : identifier comparisonOperator (INTEGER_LITERAL | STRING_LITERAL | DECIMAL_LITERAL | identifier)
    ;

workloadAction
    : SET_SESSION_VARIABLE STRING_LITERAL
    | identifier (STRING_LITERAL | INTEGER_LITERAL | identifier)?
    ;
