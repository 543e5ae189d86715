module thetis/clients

go 1.22

require github.com/go-sql-driver/mysql v1.10.1
